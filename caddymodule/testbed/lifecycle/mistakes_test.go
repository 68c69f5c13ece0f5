package lifecycle_test

import (
	"fmt"
	"net"
	"strings"
)

// mistake is a configuration that must not come into force.
type mistake struct {
	name string
	// change makes the mistake in a Caddyfile that has none.
	change func(caddyfile string) string
	// words are what the message must have, so that it can be found and corrected.
	words []string
}

func replacing(old, replacement string) func(string) string {
	return func(caddyfile string) string { return strings.Replace(caddyfile, old, replacement, 1) }
}

// mistaken are the mistakes.
var mistaken = []mistake{
	{"a brace is missing", replacing("identity_gateway ", "{\nidentity_gateway "), []string{"Caddyfile:"}},
	{"an unknown directive", replacing("text_segmentation", "text_segmentaton"), []string{"text_segmentaton", "Caddyfile:"}},
	{"an unknown option", replacing("callback\n", "callback\n\tcallbackmode query\n"), []string{"callbackmode", "Caddyfile:"}},
	{"an option twice", replacing("callback\n", "callback\n\tcallback\n"), []string{"callback", "Caddyfile:"}},
	{"a value that is none", replacing("callback\n", "callback\n\tlogin_timeout soon\n"), []string{"soon", "Caddyfile:"}},
	{"no address of the IdP", replacing("identity_gateway http://", "identity_gateway ftp://"), []string{"http"}},
	{"a redirect URI with a wildcard", replacing("redirect_uri https://app.example/callback", "redirect_uri https://*.example/callback"), []string{"https://*.example/callback", "exactly"}},
	{"a sealing key that is too short", replacing("callback\n", "callback\n\tsealing_key short\n"), []string{"sealing_key", "32", "openssl rand"}},
	{"a sealing key in a variable that is not set", replacing("callback\n", "callback\n\tsealing_key {env.LIFECYCLE_UNSET}\n"), []string{"sealing_key", "LIFECYCLE_UNSET"}},
	{"a sealing key in a file that is not there", replacing("callback\n", "callback\n\tsealing_key {file./nonexistent/key}\n"), []string{"sealing_key", "/nonexistent/key"}},
	{"a private key that is not there", replacing(`secret "the secret of the gateway"`, "private_key_jwt /nonexistent/key.pem"), []string{"private_key_jwt", "/nonexistent/key.pem"}},
	{"an unknown replay store", replacing("callback\n", "callback\n\treplay nonexistent\n"), []string{"replay", "nonexistent"}},
	{"a catalogue that is not there", replacing("personification", "personification {\n\t\tcatalogue /nonexistent\n\t}"), []string{"catalogue", "/nonexistent"}},
}

func mistakes() []lifeCase {
	names := make([]string, len(mistaken))
	for i, m := range mistaken {
		names[i] = m.name
	}
	return []lifeCase{
		{
			What: fmt.Sprintf("is given %d configurations that are wrong: %s", len(mistaken), strings.Join(names, ", ")),
			Must: "each is refused with a message that says what and where; the one before serves, logins under way complete",
			try: func(tr *env) {
				n := tr.gateway(setup{language: true})
				for _, m := range mistaken {
					l := n.login()
					tr.must("beginning a login", l.Begin(tr.Context()))
					good := n.caddyfile("")
					bad := m.change(good)
					tr.holds(bad != good, "%s: the mistake was not made", m.name)
					tr.refused(m.name, n.Reload(bad, false), m.words...)
					if _, err := l.Finish(tr.Context()); err != nil {
						tr.Errorf("%s: a login under way: %v", m.name, err)
					}
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
				tr.must("beginning a login", l.Begin(tr.Context()))
				away, err := net.Listen("tcp", "127.0.0.1:0")
				tr.must("finding an address", err)
				address := "http://" + away.Addr().String()
				away.Close()
				tr.must("reloading", n.Reload(strings.NewReplacer(n.idp.URL(), address, "parameters oauth", "parameters oauth\n\tdiscover").Replace(n.caddyfile("")), false))
				err = n.login().Authorize(tr.Context())
				tr.refused("a login", err, fmt.Sprint(503))
				_, err = n.Get("/identity_gateway/ready")
				tr.refused("the question whether it is ready", err, "503")
				n.says("metadata can't be had", address)
				tr.must("reloading", n.Reload(n.caddyfile(""), false))
				if _, err := l.Finish(tr.Context()); err != nil {
					tr.Errorf("a login from before: %v", err)
				}
				n.serves("afterwards")
			},
		},
	}
}
