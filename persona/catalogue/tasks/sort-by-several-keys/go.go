// snippet:check
//go:build ignore

package main

// snippet:end

// snippet:doc https://pkg.go.dev/cmp#Or cmp.Or
// snippet:needs Go 1.22
// snippet:prints [{Cy 12 1} {Di 10 3} {Ann 10 1} {bo 10 1}]

import (
	"cmp"
	"slices"
	"strings"
)

// snippet:check
import "fmt"

// snippet:end
type Player struct {
	Name  string
	Score int
	Level int
}

// SortForScoreboard puts the best score first, then the higher level, then the
// name without regard to case. Equal players keep their order.
func SortForScoreboard(players []Player) {
	slices.SortStableFunc(players, func(a, b Player) int {
		return cmp.Or(
			cmp.Compare(b.Score, a.Score),
			cmp.Compare(b.Level, a.Level),
			strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)),
		)
	})
}

// snippet:check
func main() {
	p := []Player{{"bo", 10, 1}, {"Ann", 10, 1}, {"Cy", 12, 1}, {"Di", 10, 3}}
	SortForScoreboard(p)
	fmt.Println(p)
}
