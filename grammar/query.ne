# The query language. `or` binds loosest, then `and`, then `except`; all of them associate to the left.
# Each level refers to itself on the left only: that keeps parsing linear and every query unambiguous.

@preprocessor typescript

@{%
import * as ast from '../src/query/ast.ts'
import { lexer } from '../src/query/lexer.ts'
%}

@lexer lexer

query        -> union                              {% id %}

union        -> union %or intersection             {% ([left, , right]) => ast.combine('or', left, right) %}
              | intersection                       {% id %}

intersection -> intersection %and difference       {% ([left, , right]) => ast.combine('and', left, right) %}
              | difference                         {% id %}

difference   -> difference %except condition       {% ([left, , right]) => ast.combine('except', left, right) %}
              | condition                          {% id %}

condition    -> %open query %close                 {% ([open, query, close]) => ast.group(open, query, close) %}
              | %has %path                         {% ([has, path]) => ast.has(has, path) %}
              | %path %equality value              {% ([path, op, value]) => ast.compare(path, op, value) %}
              | %path %order ordered               {% ([path, op, value]) => ast.compare(path, op, value) %}
              | %path %matches %string             {% ([path, , text]) => ast.matches(path, text) %}
              | %path %contains %string            {% ([path, , text]) => ast.contains(path, text) %}

value        -> ordered                            {% id %}
              | %constant                          {% ([token]) => ast.constant(token) %}

ordered      -> %number                            {% ([token]) => ast.number(token) %}
              | %string                            {% ([token]) => ast.string(token) %}
