package lifecycle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testgateway"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/testidp"
)

// keysFolder is where the sealing keys are.
func (n *node) keysFolder() string {
	return filepath.Join(testgateway.Storage(n.home), "identity_gateway", "keys")
}

// replayFolder is where the replay store is.
func (n *node) replayFolder() string {
	return filepath.Join(n.home, "caddy", "identity_gateway", "replay")
}

// keys are the files of the sealing keys.
func (n *node) keys() []string {
	files, _ := filepath.Glob(filepath.Join(n.keysFolder(), "*")) // the pattern is a good one
	return files
}

// restart begins a login, stops the gateway, lets something happen to its storage,
// and starts it again. It returns what finishes the login.
func (n *node) restart(between func()) func() error {
	l := n.login()
	n.tr.must("beginning a login", l.begin(n.tr.Context()))
	n.tr.must("stopping", n.Stop())
	between()
	n.tr.must("starting again", n.start())
	return func() error { return l.finish(n.tr.Context()) }
}

// damage is something that happens to the file of the sealing key.
type damage struct {
	name  string
	do    func(tr *env, file string)
	words []string // that a line of the log must have, besides the file
}

var damages = []damage{
	{"is empty", func(tr *env, file string) { tr.must("truncating", os.Truncate(file, 0)) }, []string{"is not a key", "restore or delete it"}},
	{"is cut off", func(tr *env, file string) { tr.must("truncating", os.Truncate(file, 20)) }, []string{"is not a key", "restore or delete it"}},
	{"is junk", func(tr *env, file string) {
		tr.must("writing", os.WriteFile(file, []byte("\x00\xff{not a key}"), 0o600))
	}, []string{"is not a key", "restore or delete it"}},
	{"is a folder", func(tr *env, file string) {
		tr.must("removing", os.Remove(file))
		tr.must("making a folder", os.Mkdir(file, 0o700))
	}, []string{"is a directory"}},
}

func storages() []lifeCase {
	var cases []lifeCase
	for _, d := range damages {
		cases = append(cases, lifeCase{
			What: "is started with a sealing key whose file " + d.name,
			Must: "503, and a line of the log that names the file and what to do; no new key; as it was once the file is restored",
			Long: d.name != "is cut off",
			try: func(tr *env) {
				n := tr.gateway(setup{})
				var file string
				var good []byte
				finish := n.restart(func() {
					file = n.keys()[0]
					var err error
					good, err = os.ReadFile(file)
					tr.must("reading the key", err)
					d.do(tr, file)
				})
				tr.refused("a login under way", finish(), "503")
				tr.refused("a new login", n.login().authorize(tr.Context()), "503")
				n.says(append(d.words, filepath.Base(file))...)
				tr.holds(len(n.keys()) == 1, "there are %d keys", len(n.keys()))
				_ = os.RemoveAll(file)
				tr.must("restoring the key", os.WriteFile(file, good, 0o600))
				n.recovers(finish)
			},
		})
	}
	return append(cases,
		lifeCase{
			What: "is started after its sealing key was deleted",
			Must: "a new key with a line in the log; logins under way are refused, new ones work",
			try: func(tr *env) {
				n := tr.gateway(setup{})
				finish := n.restart(func() { tr.must("deleting the key", os.Remove(n.keys()[0])) })
				tr.refused("a login under way", finish(), "400")
				n.says("made a sealing key", "identity_gateway/keys/")
				n.serves("afterwards")
			},
		},
		lifeCase{
			What: "is started after it was killed while it stored its first key",
			Must: "what is left of the file is not taken for a key; logins work",
			try: func(tr *env) {
				n := tr.prepare(setup{})
				tr.must("making the folder", os.MkdirAll(n.keysFolder(), 0o700))
				// As Caddy's storage names a file until it is complete.
				tr.must("writing", os.WriteFile(filepath.Join(n.keysFolder(), "2748193046"), []byte("bm90IGEga2V5"), 0o600))
				tr.must("starting", n.start())
				n.serves("after the start")
			},
		},
		lifeCase{
			What: "loses its storage while it runs (its folder is moved away)",
			Must: "logins go on, with the keys that it knows; and after a reload, too, once the folder is back",
			try: func(tr *env) {
				n := tr.gateway(setup{})
				l := n.login()
				tr.must("beginning a login", l.begin(tr.Context()))
				storage := filepath.Dir(n.keysFolder())
				tr.must("moving", os.Rename(storage, storage+".away"))
				tr.must("a login under way", l.finish(tr.Context()))
				n.serves("without storage")
				l = n.login()
				tr.must("beginning a login", l.begin(tr.Context()))
				tr.must("moving", os.Rename(storage+".away", storage))
				tr.must("reloading", n.Reload(n.caddyfile(""), true))
				tr.must("a login from before the reload", l.finish(tr.Context()))
				n.serves("after the reload")
			},
		},
		lifeCase{
			What: "is reloaded while its storage is away (a file is where its folder was)",
			Must: "logins go on with the keys that the process knows, and a line of the log says that the storage can't be read",
			try: func(tr *env) {
				n := tr.gateway(setup{})
				l := n.login()
				tr.must("beginning a login", l.begin(tr.Context()))
				folder := n.keysFolder()
				tr.must("moving", os.Rename(folder, folder+".away"))
				tr.must("writing a file", os.WriteFile(filepath.Dir(folder)+"/keys", []byte("x"), 0o600))
				tr.must("reloading", n.Reload(n.caddyfile("1"), true))
				tr.must("a login from before the reload", l.finish(tr.Context()))
				n.serves("after the reload")
				n.says("sealing keys", "identity_gateway/keys")
			},
		},
		lifeCase{
			What: "is started beside a process that has its data directory",
			Must: "the second one does not start, and says which file and what to do; the first goes on",
			try: func(tr *env) {
				n := tr.gateway(setup{})
				second := tr.prepare(setup{idp: n.idp})
				tr.must("sharing the folder", os.Symlink(filepath.Join(n.home, "caddy"), filepath.Join(second.home, "caddy")))
				tr.refused("the second process", second.start(), "replay file", second.replayFolder(), "another process has it open", "replay redis")
				n.serves("beside it")
			},
		},
		lifeCase{
			What: "has a replay store that is on a full disk (a file system of 256 KB)",
			Must: "503, and a line of the log that names the file and the cause; as it should be once there is room, and nothing forgotten",
			try: func(tr *env) {
				n := tr.prepare(setup{})
				tr.mount(n.replayFolder(), "size=256k")
				tr.must("starting", n.start())
				n.idp.Change(func(b *testidp.Behavior) { b.SingleUse = false })
				before := n.login()
				tr.must("logging in", before.run(tr.Context()))
				filler := filepath.Join(n.replayFolder(), "filler")
				_ = os.WriteFile(filler, make([]byte, 1<<20), 0o600) // to the last byte
				var waiting *login
				var err error
				for range 200 { // what was written before has some room left
					waiting = n.login()
					if err = waiting.run(tr.Context()); err != nil {
						break
					}
				}
				tr.refused("an exchange", err, "503")
				n.says("the replay store failed", n.replayFolder(), "no space left on device")
				tr.must("making room", os.Remove(filler))
				tr.must("the same exchange", waiting.exchange(tr.Context()))
				tr.refused("an exchange from before", before.exchange(tr.Context()), "redeemed before")
				n.Kill()
				tr.must("starting again", n.start())
				for _, l := range []*login{before, waiting} {
					tr.refused("a second exchange after a kill", l.exchange(tr.Context()), "redeemed before")
				}
			},
		},
		lifeCase{
			What: "has a data directory that is read-only",
			Must: "it does not start, and says which file and what to do; with `replay memory` it serves",
			try: func(tr *env) {
				n := tr.prepare(setup{})
				tr.mount(n.replayFolder(), "size=1m")
				tr.remount(n.replayFolder(), "ro")
				tr.refused("the start", n.start(), n.replayFolder(), "read-only file system", "replay memory")
				n.setup.options = "replay memory"
				tr.must("starting", n.start())
				n.serves("with replay memory")
			},
		},
		lifeCase{
			What: "has a storage that is read-only, without a key in it",
			Must: "503, and a line of the log that names the folder and the cause; as it should be once it can be written", Long: true,
			try: func(tr *env) {
				n := tr.prepare(setup{})
				tr.mount(testgateway.Storage(n.home), "size=1m")
				tr.remount(testgateway.Storage(n.home), "ro")
				tr.must("starting", n.start())
				tr.refused("a login", n.login().authorize(tr.Context()), "503")
				n.says("sealing keys can't be had", "identity_gateway", "read-only file system")
				tr.remount(testgateway.Storage(n.home), "rw")
				n.recovers(func() error { return nil })
			},
		},
		lifeCase{
			What: "has a storage that is full (a file system of 64 KB)",
			Must: "503, and a line of the log that names the folder and the cause; no file that is half a key; as it should be once there is room", Long: true,
			try: func(tr *env) {
				n := tr.prepare(setup{})
				storage := testgateway.Storage(n.home)
				tr.mount(storage, "size=64k")
				filler := filepath.Join(storage, "filler")
				tr.must("making folders", os.MkdirAll(n.keysFolder(), 0o700))
				_ = os.WriteFile(filler, make([]byte, 128<<10), 0o600) // to the last byte
				tr.must("starting", n.start())
				tr.refused("a login", n.login().authorize(tr.Context()), "503")
				n.says("sealing keys can't be had", "identity_gateway/keys", "no space left on device")
				tr.must("making room", os.Remove(filler))
				n.recovers(func() error { return nil })
				tr.holds(len(n.keys()) == 1, "there are %d files of keys", len(n.keys()))
			},
		})
}

// recovers checks that everything works once the storage does: the gateway looks
// again after a second.
func (n *node) recovers(finish func() error) {
	n.await("sealing keys", func() error { return n.login().authorize(n.tr.Context()) })
	if err := finish(); err != nil {
		n.tr.Errorf("a login under way: %v", err)
	}
	n.serves("afterwards")
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
