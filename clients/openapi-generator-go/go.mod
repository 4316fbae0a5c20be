module example.org/scenario

go 1.25

require gopkg.in/validator.v2 v2.0.1
