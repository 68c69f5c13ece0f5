// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/encoding/json#Decoder encoding/json.Decoder
import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	// snippet:usage
	"strings"
	// snippet:end
)

type Order struct {
	ID       string   `json:"id"`
	Quantity int      `json:"quantity"`
	Notes    []string `json:"notes,omitempty"`
}

// DecodeOrder reads exactly one order and refuses fields it does not know. Names may be
// in any case, and null counts as missing. It looks at the first MiB only.
func DecodeOrder(r io.Reader) (Order, error) {
	order := Order{Quantity: 1} // default for a missing field
	dec := json.NewDecoder(io.LimitReader(r, 1<<20))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&order); err != nil {
		return Order{}, fmt.Errorf("order: %w", err) // names the field that has another type
	}
	if _, err := dec.Token(); err != io.EOF {
		return Order{}, errors.New("order: text after the object")
	}
	if order.ID == "" {
		return Order{}, errors.New("order.id: is missing or empty")
	}
	return order, nil
}

// snippet:usage
// snippet:prints {a1 1 []} <nil>
// snippet:prints { 0 []} order: json: cannot unmarshal string into Go struct field Order.quantity of type int
// snippet:prints { 0 []} order: json: unknown field "idd"
// snippet:prints { 0 []} order: text after the object
// snippet:prints { 0 []} order.id: is missing or empty
func main() {
	for _, s := range []string{`{"id":"a1"}`, `{"id":"a1","quantity":"two"}`, `{"idd":"a1"}`, `{"id":"a"} {}`} {
		fmt.Println(DecodeOrder(strings.NewReader(s)))
	}
	fmt.Println(DecodeOrder(strings.NewReader(`{"quantity": 2}`)))
}
