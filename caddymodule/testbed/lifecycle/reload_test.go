package lifecycle_test

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
)

func whileReloading() []lifeCase {
	return []lifeCase{
		when("is reloaded in mid-login, mid-exchange, mid-batch and mid-upload, with another configuration and by force",
			"all that is under way completes", func(tr *env) {
				n := tr.gateway(setup{language: true})
				f := n.begin()
				for i := range 4 {
					tr.must("reloading", n.Reload(n.caddyfile(fmt.Sprint(i/2)), i%2 == 1)) // the same once more, by force
				}
				f.complete()
				f.finishLogins()
				n.serves("after the reloads")
				tr.Logf("%d logins, %d exchanges, a batch, an upload, 4 reloads", 3*logins, logins)
			}),
		growth(),
	}
}

// everything has metadata and keys that are fetched, metrics, two logs, models, and a catalogue of its own.
func everything(tr *env) setup {
	return setup{
		options: "discover",
		global:  "metrics\nlog default {\n\tlevel INFO\n\tformat oauth_redact json\n}",
		site: fmt.Sprintf(`log {
		output file %s
		format oauth_redact json
	}
	text_segmentation
	personification {
		catalogue %s
	}
	handle /api {
		require_token {idp} %s
		respond passed
	}`, filepath.Join(tr.TempDir(), "access.log"), tr.TempDir(), clientID),
	}
}

// What a thousand reloads may leave behind.
const (
	moreHeap        = 2 << 20  // bytes
	moreResident    = 40 << 20 // with the race detector 28 MB of 470, after 40 reloads as after 160
	moreGoroutines  = 4
	moreDescriptors = 4
	logOfReload     = 16 << 10 // bytes of log for each reload
	warmUps         = 30       // reloads that do not count: pools fill, Go's heap finds its size
)

// growth reloads a configuration many times, and uses it in between.
func growth() lifeCase {
	return when("is reloaded again and again",
		"memory, goroutines and descriptors do not grow; a reload logs at most 16 KB", func(tr *env) {
			n := tr.gateway(everything(tr))
			use := func() {
				tr.must("logging in", n.login().run())
				tr.must("asking for snippets", n.ask(personification, "", `{"languages":["Go"]}`, `"seeds":`))
				tr.must("asking with a token", n.ask("/api", n.idp.SignedAccessToken(user, clientID), "", "passed"))
			}
			reload := func(times int) {
				for i := range times {
					tr.must("reloading", n.Reload(n.caddyfile(fmt.Sprint(i)), i%3 == 0))
					if i%10 == 0 {
						use()
					}
				}
				use()
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
		})
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
