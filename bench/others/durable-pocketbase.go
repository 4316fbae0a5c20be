// PocketBase with one change: a commit is on the disk when it is answered. Its own settings of SQLite leave that to the
// next checkpoint (synchronous=NORMAL).
package main

import (
	"log"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
)

// What core.DefaultDBConnect says, but for synchronous.
const settings = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)&_defensive=1"

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{
		HideStartBanner: true,
		DBConnect: func(path string) (*dbx.DB, error) {
			return dbx.Open("sqlite", path+settings)
		},
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
