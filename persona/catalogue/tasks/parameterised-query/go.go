// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/database/sql database/sql
// snippet:into Put it below the package clause of a file, and call it with a *sql.DB of your database.
// snippet:prints parameter "Bath'; DROP TABLE x"
// snippet:prints [{7 Ada}] <nil>

import (
	"context"
	"database/sql"
	"fmt"
)

// snippet:check
import "database/sql/driver"
import "io"

// snippet:end
type Customer struct {
	ID   int64
	Name string
}

// CustomersIn lists the customers of a city. The city travels as a parameter,
// so no text a user types can change the statement. Its place is written ? in
// MySQL and SQLite, and $1 in PostgreSQL.
func CustomersIn(ctx context.Context, db *sql.DB, city string) ([]Customer, error) {
	rows, err := db.QueryContext(ctx, `SELECT id, COALESCE(name, '') FROM customers WHERE city = ?`, city)
	if err != nil {
		return nil, fmt.Errorf("customers in %q: %w", city, err)
	}
	defer rows.Close()
	var customers []Customer
	for rows.Next() {
		var c Customer
		if err := rows.Scan(&c.ID, &c.Name); err != nil {
			return nil, err
		}
		customers = append(customers, c)
	}
	return customers, rows.Err()
}

// snippet:check
// A driver with one canned answer: the check needs no database.
type fake struct{ row int }

func (f *fake) Open(string) (driver.Conn, error)           { return f, nil }
func (f *fake) Prepare(string) (driver.Stmt, error)        { return f, nil }
func (f *fake) Begin() (driver.Tx, error)                  { return nil, driver.ErrSkip }
func (f *fake) Close() error                               { return nil }
func (f *fake) NumInput() int                              { return 1 }
func (f *fake) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (f *fake) Query(v []driver.Value) (driver.Rows, error) {
	fmt.Printf("parameter %q\n", v[0])
	return f, nil
}
func (f *fake) Columns() []string { return []string{"id", "name"} }
func (f *fake) Next(dest []driver.Value) error {
	if f.row++; f.row > 1 {
		return io.EOF
	}
	dest[0], dest[1] = int64(7), "Ada"
	return nil
}

func main() {
	sql.Register("fake", &fake{})
	db, _ := sql.Open("fake", "")
	// snippet:measures a text that would end the statement stays a value
	fmt.Println(CustomersIn(context.Background(), db, "Bath'; DROP TABLE x"))
}
