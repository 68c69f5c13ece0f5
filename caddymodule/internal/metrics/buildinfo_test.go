package metrics

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion(t *testing.T) {
	plugin := func(version string, replace *debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{
			Main: debug.Module{Path: "caddy", Version: "(devel)"}, // as xcaddy names it
			Deps: []*debug.Module{
				{Path: "github.com/caddyserver/caddy/v2", Version: "v2.11.9"},
				{Path: modulePath, Version: version, Replace: replace},
				{Path: modulePath + "/caddymodule/replay/redis", Version: "v9.9.9"},
			},
		}
	}
	checkout := func(path, version string) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: path, Version: version}}
	}
	const pseudo = "v0.0.0-20261122193400-19ade5e00000+dirty"
	for name, test := range map[string]struct {
		info    *debug.BuildInfo
		release string
		want    string
	}{
		"xcaddy":                        {plugin("v1.2.3", nil), "", "v1.2.3"},
		"xcaddy, replaced by a fork":    {plugin("v1.2.3", &debug.Module{Path: "example.com/fork", Version: "v1.2.4"}), "", "v1.2.4"},
		"xcaddy, replaced by a folder":  {plugin("v1.2.3", &debug.Module{Path: "."}), "", "(devel)"},
		"a release":                     {plugin("v0.0.0", &debug.Module{Path: "../../.."}), "v1.2.3", "v1.2.3"},
		"a command of the repository":   {checkout(modulePath, pseudo), "", pseudo},
		"one of its nested modules":     {checkout(modulePath+"/caddymodule/cmd/caddy", pseudo), "", pseudo},
		"somebody's module with a like": {checkout(modulePath+"-extra", "v5.0.0"), "", "(devel)"},
		"go run, without a commit":      {checkout(modulePath, "(devel)"), "", "(devel)"},
		"a test":                        {checkout(modulePath, ""), "", "(devel)"},
		"built without modules":         {nil, "", "(devel)"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, version(test.info, test.release))
		})
	}
}

func TestTheVersionOfThisBinaryIsNotEmpty(t *testing.T) {
	require.NotEmpty(t, Version())
}
