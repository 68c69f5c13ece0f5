package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTableSaysWhatPassedAndWhy(t *testing.T) {
	all := func(except string) (results []Result) {
		for _, step := range Steps {
			results = append(results, Result{Step: step, OK: step != except})
		}
		return results
	}
	for want, cell := range map[string]Cell{
		"passed":                                  {Results: all("")},
		"FAILED: refresh":                         {Results: all("refresh")},
		"FAILED: userinfo, refresh, logout":       {Results: all("")[:1]},
		"passed; it has no refresh and no logout": {Results: all("")[:2], Lacks: []string{"refresh", "logout"}},
		"FAILED: login, refresh":                  {Results: all("login")[:1], Lacks: []string{"userinfo", "logout"}},
		"FAILED":                                  {Results: all(""), Err: errors.New("broken")},
		"not run":                                 {Err: fmt.Errorf("%w: no Node", ErrUnavailable)},
	} {
		require.Equal(t, want, cell.summary())
		require.Equal(t, strings.HasPrefix(want, "passed"), cell.Passed(), want)
	}

	var out strings.Builder
	Print(&out, []Cell{
		{IdP: "a", Client: "x", Results: all("")},
		{IdP: "a", Client: "y", Results: []Result{{Step: "login", Detail: "rejected"}}},
		{IdP: "b", Client: "x", Err: errors.New("broken")},
		{IdP: "b", Client: "y", Results: all("")},
	})
	require.Equal(t, `| | x | y |
|---|---|---|
| a | passed | FAILED: login, userinfo, refresh, logout |
| b | FAILED | passed |

a x y, login: rejected
b x x: broken
`, out.String())
}
