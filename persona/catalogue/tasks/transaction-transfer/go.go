// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://go.dev/doc/database/execute-transactions Executing transactions
// snippet:into Put it below the package clause of a file, and call it with a *sql.DB of your database.
// snippet:prints <nil> map[1:70 2:130]
// snippet:prints account 1: not there, or its balance forbids it map[1:70 2:130]
// snippet:prints account 9: not there, or its balance forbids it map[1:70 2:130]
// snippet:prints amount -30: must be positive map[1:70 2:130]

import (
	"context"
	"database/sql"
	"fmt"
)

// snippet:check
import "database/sql/driver"
import "maps"
import "strings"

// snippet:end
// Transfer moves cents between two accounts: both rows change, or neither. The
// places are written ? in MySQL and SQLite, and $1, $2 and $3 in PostgreSQL.
func Transfer(ctx context.Context, db *sql.DB, from, to, cents int64) error {
	if cents <= 0 {
		return fmt.Errorf("amount %d: must be positive", cents)
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit

	for _, row := range []struct{ account, change int64 }{{from, -cents}, {to, cents}} {
		res, err := tx.ExecContext(ctx,
			`UPDATE accounts SET cents = cents + ? WHERE id = ? AND cents + ? BETWEEN 0 AND 9223372036854775807`,
			row.change, row.account, row.change) // beyond 64 bits SQLite would go on with a float
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if n != 1 {
			return fmt.Errorf("account %d: not there, or its balance forbids it", row.account)
		}
	}
	return tx.Commit()
}

// snippet:check
// A driver with two accounts of 100 cents: the check needs no database.
type fake struct{ cents, saved map[int64]int64 }

func (f *fake) Open(string) (driver.Conn, error) { return f, nil }
func (f *fake) Prepare(q string) (driver.Stmt, error) {
	return &stmt{f, strings.Count(q, "?")}, nil
}
func (f *fake) Begin() (driver.Tx, error) { return f, nil }
func (f *fake) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	f.saved = maps.Clone(f.cents)
	return f, nil
}
func (f *fake) Commit() error   { return nil }
func (f *fake) Rollback() error { f.cents = f.saved; return nil }
func (f *fake) Close() error    { return nil }

type stmt struct {
	f *fake
	n int
}

func (s *stmt) Close() error                              { return nil }
func (s *stmt) NumInput() int                             { return s.n }
func (s *stmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }
func (s *stmt) Exec(v []driver.Value) (driver.Result, error) {
	change, id := v[0].(int64), v[1].(int64)
	if balance, ok := s.f.cents[id]; !ok || balance+change < 0 {
		return driver.RowsAffected(0), nil
	}
	s.f.cents[id] += change
	return driver.RowsAffected(1), nil
}

func main() {
	f := &fake{cents: map[int64]int64{1: 100, 2: 100}}
	sql.Register("fake", f)
	db, _ := sql.Open("fake", "")
	fmt.Println(Transfer(context.Background(), db, 1, 2, 30), f.cents)
	fmt.Println(Transfer(context.Background(), db, 1, 2, 80), f.cents)
	fmt.Println(Transfer(context.Background(), db, 1, 9, 10), f.cents)
	fmt.Println(Transfer(context.Background(), db, 1, 2, -30), f.cents)
}
