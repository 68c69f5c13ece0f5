package lifecycle_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func whileReloading() []lifeCase {
	cases := []lifeCase{
		{
			What: "is reloaded in mid-login, mid-exchange, mid-batch and mid-upload, with another configuration and by force",
			Must: "all that is under way completes",
			try: func(tr *env) {
				n := tr.gateway(setup{language: true})
				f := n.begin()
				for i := range 4 {
					tr.must("reloading", n.Reload(n.caddyfile(fmt.Sprint(i/2)), i%2 == 1)) // the same once more, by force
				}
				f.finishRequests()
				f.finishLogins()
				n.serves("after the reloads")
				tr.Logf("%d logins, %d exchanges, a batch, an upload, 4 reloads", 3*logins, logins)
			},
		},
		{
			What: "is reloaded between a code's first exchange and the second",
			Must: "the second is refused: the replay store in memory outlives a reload",
			try: func(tr *env) {
				n := tr.gateway(setup{})
				l := n.login()
				_, err := l.Run(tr.Context())
				tr.must("logging in", err)
				tr.must("reloading", n.Reload(n.caddyfile("1"), true))
				n.idp.Forget()
				_, err = l.Exchange(tr.Context())
				tr.refused("the second exchange", err, "redeemed before")
				tr.holds(len(n.idp.Requests()) == 0, "the second exchange reached the IdP")
			},
		},
	}
	for _, kind := range reloadedKinds {
		c := growth(kind)
		cases = append(cases, c)
	}
	return cases
}

// reloadedKind is a configuration that is reloaded again and again.
type reloadedKind struct {
	name   string
	global string
	site   func(tr *env, address, idp string) string
	// use makes requests that have the configuration do what it does.
	use func(n *node) error
}

var reloadedKinds = []reloadedKind{
	{
		name: "callback and the language endpoints",
		site: func(_ *env, address, idp string) string { return Site(address, idp, "") },
		use:  logsIn,
	},
	{
		name: "discover",
		site: func(_ *env, address, idp string) string {
			return Site(address, idp, "discover")
		},
		use: logsIn,
	},
	{
		name: "require_token, whose keys are fetched",
		site: func(_ *env, address, idp string) string { return protectedSite(address, idp) },
		use:  asksWithToken,
	},
	{
		name:   "metrics and two access logs",
		global: "metrics\nlog default {\n\tlevel INFO\n\tformat oauth_redact json\n}",
		site: func(tr *env, address, idp string) string {
			log := "log {\n\t\toutput file " + filepath.Join(tr.TempDir(), "access.log") + "\n\t\tformat oauth_redact json\n\t}\n\t"
			return strings.Replace(Site(address, idp, ""), "identity_gateway", log+"identity_gateway", 1)
		},
		use: logsIn,
	},
	{
		name: "personification with a catalogue of its own",
		site: func(tr *env, address, _ string) string {
			return fmt.Sprintf("http://%s {\n\tpersonification {\n\t\tcatalogue %s\n\t}\n}", address, tr.TempDir())
		},
		use: func(n *node) error { return Mixed(n.client)[3].Do(n.tr.Context(), n.url()) },
	},
}

// protectedSite is a gateway, and a path behind it that takes access tokens.
func protectedSite(address, idp string) string {
	return fmt.Sprintf("http://%s {\n\t%s\n\thandle /api {\n\t\trequire_token %s %s\n\t\trespond passed\n\t}\n}", address, Directive(idp, ""), idp, ClientID)
}

func logsIn(n *node) error {
	_, err := n.login().Run(n.tr.Context())
	return err
}

// asksWithToken asks for what needs a token, for whose signature the keys are fetched.
func asksWithToken(n *node) error {
	token, err := n.idp.SignedAccessToken(User, ClientID)
	if err != nil {
		return err
	}
	_, err = n.get("/api", token)
	return err
}

// What a thousand reloads may leave behind.
const (
	moreHeap        = 2 << 20 // bytes
	moreResident    = 24 << 20
	moreGoroutines  = 4
	moreDescriptors = 4
	logOfReload     = 16 << 10 // bytes of log for each reload
	warmUps         = 30       // reloads that do not count: pools fill, Go's heap finds its size
)

// growth reloads a configuration many times.
func growth(kind reloadedKind) lifeCase {
	return lifeCase{
		What: "is reloaded again and again: " + kind.name,
		Must: "memory, goroutines and descriptors do not grow; a reload logs at most 16 KB",
		Long: kind.name != "discover",
		try: func(tr *env) {
			var site string
			n := tr.gateway(setup{global: kind.global, site: func(address, idp string) string {
				if site == "" {
					site = kind.site(tr, address, idp)
				}
				return site
			}})
			reload := func(times int) {
				for i := range times {
					tr.must("reloading", n.Reload(n.caddyfile(fmt.Sprint(i)), i%3 == 0))
					if i%10 == 0 {
						tr.must("using it", kind.use(n))
					}
				}
				tr.must("using it", kind.use(n))
			}
			reload(warmUps)
			before := n.settled(testgateway.Usage{})
			logged, began := int64(len(n.Log())), time.Now()
			reload(*reloads)
			took := time.Since(began)
			after := n.settled(before)
			perReload := (int64(len(n.Log())) - logged) / int64(*reloads)
			tr.Logf("%d reloads, %s each: before %s; after %s; %.1f KB of log each", *reloads, (took / time.Duration(*reloads)).Round(100*time.Microsecond), before, after, float64(perReload)/1e3)
			tr.holds(after.Heap-before.Heap <= moreHeap, "the heap grew by %.1f MB", float64(after.Heap-before.Heap)/1e6)
			tr.holds(after.Resident-before.Resident <= moreResident, "the resident memory grew by %.1f MB", float64(after.Resident-before.Resident)/1e6)
			tr.holds(after.Goroutines-before.Goroutines <= moreGoroutines, "there are %d goroutines more", after.Goroutines-before.Goroutines)
			tr.holds(after.Descriptors-before.Descriptors <= moreDescriptors, "there are %d descriptors more", after.Descriptors-before.Descriptors)
			tr.holds(perReload <= logOfReload, "a reload logs %d bytes", perReload)
		},
	}
}

// settled is what the process takes once it is at most what it was before, or
// does not get less any more.
func (n *node) settled(before testgateway.Usage) testgateway.Usage {
	var least testgateway.Usage
	for i := range 20 {
		now, err := n.Usage()
		n.tr.must("reading what the process takes", err)
		if i == 0 {
			least = now
		}
		least = testgateway.Usage{
			Resident: min(least.Resident, now.Resident), Heap: min(least.Heap, now.Heap),
			Goroutines: min(least.Goroutines, now.Goroutines), Descriptors: min(least.Descriptors, now.Descriptors),
		}
		if i >= 4 && least.Goroutines <= before.Goroutines+moreGoroutines && least.Descriptors <= before.Descriptors+moreDescriptors && least.Heap <= before.Heap+moreHeap {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return least
}
