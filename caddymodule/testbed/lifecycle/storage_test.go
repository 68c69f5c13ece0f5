package lifecycle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

func (n *node) keysFolder() string {
	return filepath.Join(testgateway.Storage(n.home), "identity_gateway", "keys")
}

func (n *node) replayFolder() string {
	return filepath.Join(n.home, "caddy", "identity_gateway", "replay")
}

func (n *node) keys() []string {
	files, _ := filepath.Glob(filepath.Join(n.keysFolder(), "*")) // the pattern is a good one
	return files
}

// restart begins a login, stops the gateway, lets something happen to its storage,
// and starts it again. It returns what finishes the login.
func (n *node) restart(between func()) func() error {
	l := n.login()
	n.tr.must("beginning a login", l.begin())
	n.tr.must("stopping", n.Stop())
	between()
	n.tr.must("starting again", n.start())
	return func() error { return l.finish() }
}

func storages() []lifeCase {
	return []lifeCase{
		when("is started with a sealing key that is cut off",
			"503, and a line of the log that names the file and what to do; no new key; as it was once the file is restored", func(tr *env) {
				n := tr.gateway(setup{})
				var file string
				var good []byte
				finish := n.restart(func() {
					file = n.keys()[0]
					var err error
					good, err = os.ReadFile(file)
					tr.must("reading the key", err)
					tr.must("truncating", os.Truncate(file, 20))
				})
				tr.refused("a login under way", finish(), "503")
				tr.refused("a new login", n.login().authorize(), "503")
				n.says("is not a key", "restore or delete it", filepath.Base(file))
				tr.holds(len(n.keys()) == 1, "there are %d keys", len(n.keys()))
				tr.must("restoring the key", os.WriteFile(file, good, 0o600))
				// The gateway looks again after a second.
				n.await("sealing keys", func() error { return n.login().authorize() })
				tr.must("the login under way", finish())
				n.serves("afterwards")
			}),
		when("loses its storage while it runs (its folder is moved away)",
			"logins go on, with the keys that it knows; and after a reload, too, once the folder is back", func(tr *env) {
				n := tr.gateway(setup{})
				l := n.login()
				tr.must("beginning a login", l.begin())
				storage := filepath.Dir(n.keysFolder())
				tr.must("moving", os.Rename(storage, storage+".away"))
				tr.must("a login under way", l.finish())
				n.serves("without storage")
				l = n.login()
				tr.must("beginning a login", l.begin())
				tr.must("moving", os.Rename(storage+".away", storage))
				tr.must("reloading", n.Reload(n.caddyfile(""), true))
				tr.must("a login from before the reload", l.finish())
				n.serves("after the reload")
			}),
		when("has a replay store that is on a full disk (a file system of 256 KB)",
			"503, and a line of the log that names the file and the cause; as it should be once there is room, and nothing forgotten", func(tr *env) {
				n := tr.prepare(setup{})
				tr.mount(n.replayFolder(), "size=256k")
				tr.must("starting", n.start())
				n.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
				before := n.login()
				tr.must("logging in", before.run())
				filler := filepath.Join(n.replayFolder(), "filler")
				_ = os.WriteFile(filler, make([]byte, 1<<20), 0o600) // to the last byte
				var waiting *login
				var err error
				for range 200 { // what was written before has some room left
					waiting = n.login()
					if err = waiting.run(); err != nil {
						break
					}
				}
				tr.refused("an exchange", err, "503")
				n.says("the replay store failed", n.replayFolder(), "no space left on device")
				tr.must("making room", os.Remove(filler))
				tr.must("the same exchange", waiting.exchange())
				tr.refused("an exchange from before", before.exchange(), "redeemed before")
				n.Kill()
				tr.must("starting again", n.start())
				for _, l := range []*login{before, waiting} {
					tr.refused("a second exchange after a kill", l.exchange(), "redeemed before")
				}
			}),
		when("has a data directory that is read-only",
			"it does not start, and says which file and what to do; with `replay memory` it serves", func(tr *env) {
				n := tr.prepare(setup{})
				tr.mount(n.replayFolder(), "size=1m")
				tr.remount(n.replayFolder(), "ro")
				tr.refused("the start", n.start(), n.replayFolder(), "read-only file system", "replay memory")
				n.setup.options = "replay memory"
				tr.must("starting", n.start())
				n.serves("with replay memory")
			}),
	}
}

// mount mounts a file system in memory, which takes root.
func (tr *env) mount(folder, options string) {
	if os.Geteuid() != 0 {
		tr.Skipf("this takes root, to mount a file system")
	}
	tr.must("making a folder", os.MkdirAll(folder, 0o700))
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder).CombinedOutput(); err != nil {
		tr.Skipf("a file system can't be mounted here: %s", strings.TrimSpace(string(out)))
	}
	tr.Cleanup(func() { _ = exec.Command("umount", "-l", folder).Run() })
}

func (tr *env) remount(folder, option string) {
	tr.must("mounting again", exec.Command("mount", "-o", "remount,"+option, folder).Run())
}
