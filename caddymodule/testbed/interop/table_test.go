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
		{IdP: "a", Registration: "public", Client: "x", Results: all("")},
		{IdP: "a", Registration: "public", Client: "y", Results: []Result{{Step: "login", Detail: "rejected"}}},
		{IdP: "a", Registration: "confidential", Client: "x", Err: errors.New("broken")},
		{IdP: "a", Registration: "confidential", Client: "y", Results: all("")},
	})
	require.Equal(t, `| | | x | y |
|---|---|---|---|
| a | public | passed | FAILED: login, userinfo, refresh, logout |
| a | confidential | FAILED | passed |

a (public) x y, login: rejected
a (confidential) x x: broken
`, out.String())
}
