package lifecycle_test

import (
	"fmt"
	"net"
	"strings"
)

func mistakes() []lifeCase {
	return []lifeCase{
		{
			What: "is given configurations that are wrong, found when they are read and when they are loaded",
			Must: "each is refused with a message that says what and where; the one before serves, logins under way complete",
			try: func(tr *env) {
				n := tr.gateway(setup{language: true})
				for _, mistake := range []struct {
					right, wrong string
					words        []string
				}{
					{"callback\n", "callback\n\tcallbackmode query\n", []string{"callbackmode", "Caddyfile:"}},
					{"callback\n", "callback\n\tsealing_key {file./nonexistent/key}\n", []string{"sealing_key", "/nonexistent/key"}},
					{"callback\n", "callback\n\treplay nonexistent\n", []string{"replay", "nonexistent"}},
					{"personification", "personification {\n\t\tcatalogue /nonexistent\n\t}", []string{"catalogue", "/nonexistent"}},
				} {
					l := n.login()
					tr.must("beginning a login", l.begin(tr.Context()))
					bad := strings.Replace(n.caddyfile(""), mistake.right, mistake.wrong, 1)
					tr.refused(mistake.wrong, n.Reload(bad, false), mistake.words...)
					tr.must(mistake.wrong+": a login under way", l.finish(tr.Context()))
				}
				tr.must("loading one without a mistake", n.Reload(n.caddyfile("new"), false))
				n.serves("afterwards")
			},
		},
		{
			What: "is given a configuration with discover for an IdP that does not answer",
			Must: "it is accepted, since an IdP may come back: 503 and a line in the log until then, not ready; the one before is back after another reload",
			try: func(tr *env) {
				n := tr.gateway(setup{})
				l := n.login()
				tr.must("beginning a login", l.begin(tr.Context()))
				away, err := net.Listen("tcp", "127.0.0.1:0")
				tr.must("finding an address", err)
				address := "http://" + away.Addr().String()
				away.Close()
				tr.must("reloading", n.Reload(strings.NewReplacer(n.idp.URL(), address, "parameters oauth", "parameters oauth\n\tdiscover").Replace(n.caddyfile("")), false))
				err = n.login().authorize(tr.Context())
				tr.refused("a login", err, fmt.Sprint(503))
				_, err = n.Get("/identity_gateway/ready")
				tr.refused("the question whether it is ready", err, "503")
				n.says("metadata can't be had", address)
				tr.must("reloading", n.Reload(n.caddyfile(""), false))
				tr.must("a login from before", l.finish(tr.Context()))
				n.serves("afterwards")
			},
		},
	}
}
