package args_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

type mode string

// server has an option of each kind.
type server struct {
	Name     string
	Mode     mode
	Strict   bool
	MaxBody  int64
	Timeout  caddy.Duration
	Workers  int
	Hosts    []string
	Clients  []string
	Upstream string
}

func (s *server) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next()
	if err := args.None(d); err != nil {
		return err
	}
	return args.Block(d, "server", args.Options{
		"name":     args.String(&s.Name),
		"mode":     args.OneOf(&s.Mode, "memory", "storage", "off"),
		"strict":   args.Flag(&s.Strict),
		"max_body": args.Size(&s.MaxBody),
		"timeout":  args.Duration(&s.Timeout),
		"workers":  args.Count(&s.Workers, "workers"),
		"host":     args.Strings(&s.Hosts, lowerCase),
		"client":   args.Repeatable(s.unmarshalClient),
		"upstream": args.OneOf(&s.Upstream, "a", "b"),
	})
}

func lowerCase(value string) error {
	if value != strings.ToLower(value) {
		return errors.New("host " + value + " is not in lower case")
	}
	return nil
}

func (s *server) unmarshalClient(d *caddyfile.Dispenser) error {
	id, err := args.One(d)
	if err != nil {
		return err
	}
	s.Clients = append(s.Clients, id)
	return args.Block(d, "client", args.Options{"name": args.String(new(string))})
}

func TestABlockIsReadIntoTypedValues(t *testing.T) {
	var got server
	require.NoError(t, got.UnmarshalCaddyfile(caddyfile.NewTestDispenser(`server {
		name     "the name"
		mode     storage
		strict
		max_body 64KiB
		timeout  1d
		workers  3
		host     a b "d,e" "f,"
		client   one {
			name first
		}
		host     c {env.NOT_KNOWN_YET}
		client   two
		upstream b
	}`)))
	require.Equal(t, server{
		Name: "the name", Mode: "storage", Strict: true, MaxBody: 64 << 10, Timeout: caddy.Duration(24 * time.Hour),
		Workers: 3, Hosts: []string{"a", "b", "d,e", "f,", "c", "{env.NOT_KNOWN_YET}"}, Clients: []string{"one", "two"}, Upstream: "b",
	}, got)
	require.NoError(t, new(server).UnmarshalCaddyfile(caddyfile.NewTestDispenser("server")), "the block is optional")
}

func TestMistakesAreNamedWithTheirLine(t *testing.T) {
	for line, want := range map[string]string{
		"nmae x":                        "unrecognized subdirective nmae (did you mean name?); server has client, host, max_body, mode, name, strict, timeout, upstream, workers",
		"maxbody 1MB":                   "unrecognized subdirective maxbody (did you mean max_body?)",
		"colour red":                    "unrecognized subdirective colour; server has client",
		"max_body 1MB {\nx\n}":          "unrecognized subdirective {; server has client",
		"client a {\nnam x\n}":          "unrecognized subdirective nam (did you mean name?); client has name",
		"client a {\nname x\nname y\n}": "name is given twice in client",
		"strict\nstrict":                "strict is given twice in server",
		"max_body 1MB\nmax_body 2MB":    "max_body is given twice in server",
		"upstream a\nupstream b":        "upstream is given twice in server",
		"backen x":                      "unrecognized subdirective backen; server has client",
		"host a B":                      "host B is not in lower case",
		"host a, b":                     `host: separate values with spaces, not commas; one that belongs to a value is in quotes: host "…,…"`,
		"host a b,":                     "host: separate values with spaces, not commas",
		"host a,b":                      "host: separate values with spaces, not commas",
		"host a ,b":                     "host: separate values with spaces, not commas",
		"host a , b":                    "host: separate values with spaces, not commas",
		`host "a", "b"`:                 "host: separate values with spaces, not commas",
		"host {env.A},{env.B}":          "host: separate values with spaces, not commas",
		"name":                          "name needs an argument; if it comes from an environment variable, set that",
		"name a b":                      `unexpected argument "b" after a`,
		"strict yes":                    `unexpected argument "yes" after strict`,
		"host":                          "host needs at least one argument",
		"client":                        "client needs an argument",
		"mode disk":                     `mode must be memory, storage or off, not "disk"`,
		"mode of":                       `mode must be memory, storage or off, not "of" (did you mean off?)`,
		"max_body big":                  `max_body must be a size such as 64KiB or 2MB, not "big"`,
		"max_body 0":                    `max_body must be a size such as 64KiB or 2MB, not "0"`,
		"max_body -1":                   `max_body must be a size such as 64KiB or 2MB, not "-1"`,
		"max_body 2TiB":                 `max_body must be a size such as 64KiB or 2MB, not "2TiB"`,
		"timeout 5":                     `timeout must be a positive duration such as 30s or 15m, not "5"`,
		"timeout -5s":                   `timeout must be a positive duration such as 30s or 15m, not "-5s"`,
		"timeout 0s":                    `timeout must be a positive duration such as 30s or 15m, not "0s"`,
		"workers 0":                     `workers must be a whole number of workers, at least 1, not "0"`,
		"workers 1.5":                   `workers must be a whole number of workers, at least 1, not "1.5"`,
		"workers -1":                    `workers must be a whole number of workers, at least 1, not "-1"`,
		"upstream c":                    `upstream must be a or b, not "c" (did you mean a?)`,
	} {
		t.Run(line, func(t *testing.T) {
			err := new(server).UnmarshalCaddyfile(caddyfile.NewTestDispenser("server {\n" + line + "\n}"))
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, "Testfile:", "file and line")
		})
	}
	require.ErrorContains(t, new(server).UnmarshalCaddyfile(caddyfile.NewTestDispenser("server now")), `unexpected argument "now" after server`)
}

func TestPlaceholdersAreResolved(t *testing.T) {
	t.Setenv("TEST_ARGS_HOST", "a.example")
	got, err := args.ResolveAll("origin", []string{"https://{env.TEST_ARGS_HOST}", "https://b.example"})
	require.NoError(t, err)
	require.Equal(t, []string{"https://a.example", "https://b.example"}, got)

	for _, list := range []string{"https://a.example, https://b.example", "https://a.example,"} {
		t.Setenv("TEST_ARGS_HOST", list)
		_, err := args.ResolveAll("origin", []string{"{env.TEST_ARGS_HOST}"})
		require.EqualError(t, err, "origin "+list+": separate values with spaces, not commas")
	}
	t.Setenv("TEST_ARGS_HOST", "https://a.example?b=1,2")
	_, err = args.ResolveAll("origin", []string{"{env.TEST_ARGS_HOST}"})
	require.NoError(t, err)

	t.Setenv("TEST_ARGS_EMPTY", "")
	for _, value := range []string{"https://{env.TEST_ARGS_EMPTY}", "{no.such.placeholder}"} {
		_, err := args.ResolveAll("origin", []string{value})
		require.ErrorContains(t, err, "origin: ")
	}
}

func TestLimitsHaveADefaultAndAreNeverNegative(t *testing.T) {
	for value, want := range map[int]int{0: 5, 1: 1, 9: 9} {
		got, err := args.Limit("limit", value, 5)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := args.Limit("timeout", caddy.Duration(-1), caddy.Duration(time.Second))
	require.ErrorContains(t, err, "timeout must not be negative")
}

// A word of any length may stand in a Caddyfile: it is not compared letter by letter with what it is not near.
func TestLongWordsAreNearNothing(t *testing.T) {
	word := strings.Repeat("name", 1<<12)
	require.Less(t, testing.AllocsPerRun(1, func() {
		err := new(server).UnmarshalCaddyfile(caddyfile.NewTestDispenser("server {\n" + word + "\n}"))
		require.ErrorContains(t, err, "unrecognized subdirective "+word+"; server has")
	}), float64(len(word)))
}

func TestPlaceholdersAnywhereInAConfiguration(t *testing.T) {
	type client struct {
		ID     string            `json:"id"`
		Hashes []string          `json:"secret_hashes,omitempty"`
		Sent   map[string]string `json:"sent,omitempty"`
	}
	type config struct {
		Address string   `json:"address"`
		Clients []client `json:"clients"`
	}
	t.Setenv("TEST_ARGS_VALUE", "of the environment")
	t.Setenv("TEST_ARGS_EMPTY", "")
	from := config{"https://a", []client{{ID: "web", Hashes: []string{"{env.TEST_ARGS_VALUE}"}, Sent: map[string]string{"a": "{env.TEST_ARGS_VALUE}"}}}}
	var got config
	require.NoError(t, args.MapStrings(from, &got, args.ResolveAt))
	require.Equal(t, config{"https://a", []client{{ID: "web", Hashes: []string{"of the environment"}, Sent: map[string]string{"a": "of the environment"}}}}, got)
	for says, from := range map[string]config{
		"address: the environment variable TEST_ARGS_EMPTY":                 {Address: "{env.TEST_ARGS_EMPTY}"},
		"client web: secret_hash: the environment variable TEST_ARGS_EMPTY": {Clients: []client{{ID: "web", Hashes: []string{"{env.TEST_ARGS_EMPTY}"}}}},
		"client web: sent a: the environment variable TEST_ARGS_EMPTY":      {Clients: []client{{ID: "web", Sent: map[string]string{"a": "{env.TEST_ARGS_EMPTY}"}}}},
		"client web: secret_hash a, b: separate values with spaces":         {Clients: []client{{ID: "web", Hashes: []string{"a, b"}}}},
	} {
		require.ErrorContains(t, args.MapStrings(from, &got, args.ResolveAt), says)
	}
}
