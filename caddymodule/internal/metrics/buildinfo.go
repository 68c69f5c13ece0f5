package metrics

import (
	"cmp"
	"runtime/debug"
	"strings"
	"sync"
)

const modulePath = "github.com/identity-gateway/caddy-identity-gateway"

// release is set by the linker when a release is built. Then the repository's
// modules replace each other, and Go records no version of the plugin.
var release string

// Version is the version of the plugin: v1.2.3 in a release and in a build with
// xcaddy, a pseudo-version in one from a checkout, and (devel) where Go recorded
// neither a version nor a commit.
var Version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return version(info, release)
})

func version(info *debug.BuildInfo, release string) string {
	const unknown = "(devel)" // as Go says
	switch {
	case release != "":
		return release
	case info == nil:
		return unknown
	case info.Main.Path == modulePath || strings.HasPrefix(info.Main.Path, modulePath+"/"):
		return cmp.Or(info.Main.Version, unknown) // of the commit, which is the plugin's too
	}
	for _, module := range info.Deps {
		if module.Path != modulePath {
			continue
		}
		if module.Replace != nil {
			module = module.Replace
		}
		return cmp.Or(module.Version, unknown)
	}
	return unknown
}
