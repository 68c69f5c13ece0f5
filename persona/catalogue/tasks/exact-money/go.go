// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/fmt#Stringer fmt.Stringer
import "fmt"

// Cents is an exact amount of money. Floating point never touches it.
type Cents int64

func (c Cents) String() string {
	sign, magnitude := "", uint64(c)
	if c < 0 {
		sign, magnitude = "-", -magnitude
	}
	return fmt.Sprintf("%s%d.%02d", sign, magnitude/100, magnitude%100)
}

// Split divides an amount into n parts, at least one; the leftover cents go to the
// first ones, so that the parts add up to the whole.
func (c Cents) Split(n int) []Cents {
	parts := make([]Cents, n)
	rest := c % Cents(n) // as negative as c
	for i := range parts {
		parts[i] = c / Cents(n)
		if Cents(i) < rest {
			parts[i]++
		} else if -Cents(i) > rest {
			parts[i]--
		}
	}
	return parts
}

// snippet:usage
// snippet:prints [3.34 3.33 3.33] -0.05 [-0.34 -0.33 -0.33]
func main() {
	fmt.Println(Cents(1000).Split(3), Cents(-5), Cents(-100).Split(3))
}
