package doctest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/devidp"
	_ "github.com/identity-gateway/caddy-identity-gateway/caddymodule/replay/redis"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/must"
	"github.com/identity-gateway/caddy-identity-gateway/idp/clientcert/clientcerttest"
)

func TestCaddyfilesAreFormattedAndLoad(t *testing.T) {
	eachBlock(t, func(t *testing.T, b Block) {
		if b.Comment == "syntax" {
			return
		}
		require.Equal(t, string(caddyfile.Format([]byte(b.Code))), b.Code, "this is not what `caddy fmt` makes of it")
		if reason, ok := notRun(b); ok {
			t.Skip(reason)
		}
		requireLoads(t, b)
	}, "caddyfile")
}

// Those that pages refer to; the others are run.
func TestCaddyfilesOfExamplesLoad(t *testing.T) {
	for _, name := range []string{"company", "fapi", "github"} {
		t.Run(name, func(t *testing.T) {
			code := must.Have(os.ReadFile(root + "/caddymodule/examples/" + name + ".Caddyfile"))(t)
			requireLoads(t, Block{Language: "caddyfile", Code: string(code)})
		})
	}
}

// requireLoads loads a Caddyfile without a word of where its directives stand.
func requireLoads(t *testing.T, b Block) {
	t.Helper()
	config := new(caddy.Config)
	require.NoError(t, caddy.StrictUnmarshalJSON(adapt(t, machine(t.TempDir()), b), config))
	log := filepath.Join(t.TempDir(), "log")
	if config.Logging == nil {
		writer := must.Have(json.Marshal(map[string]string{"output": "file", "filename": log}))(t)
		config.Logging = &caddy.Logging{Logs: map[string]*caddy.CustomLog{"default": {BaseLog: caddy.BaseLog{
			Level: "WARN", WriterRaw: writer, EncoderRaw: json.RawMessage(`{"format": "json"}`),
		}}}}
	}
	config.Admin = &caddy.AdminConfig{Disabled: true}
	storage := must.Have(json.Marshal(map[string]string{"module": "file_system", "root": t.TempDir()}))(t)
	config.StorageRaw = storage
	require.NoError(t, caddy.Validate(config))
	said, _ := os.ReadFile(log)
	for line := range strings.Lines(string(said)) {
		require.NotRegexp(t, `"logger":"(identity_gateway(_routes)?|http\.handlers\.require_token)"`, line)
	}
}

func TestCaddyfilesOfTheRepositoryAreFormatted(t *testing.T) {
	found := 0
	for _, path := range files(t, func(name string) bool { return strings.Contains(name, "Caddyfile") }) {
		found++
		content := must.Have(os.ReadFile(filepath.Join(root, path)))(t)
		source := strings.ReplaceAll(string(content), "\r\n", "\n")
		require.Equal(t, string(caddyfile.Format([]byte(source))), source, "%s is not what `caddy fmt` makes of it", path)
	}
	require.Greater(t, found, 1)
}

// adapt turns a Caddyfile into JSON, with what it needs around it.
func adapt(t *testing.T, m machine, b Block) []byte {
	t.Helper()
	source := m.code(t, b)
	if startsWithDirective.MatchString(source) {
		source = "login.example.com {\n" + source + "}\n"
	}
	adapted, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(source), map[string]any{"filename": "Caddyfile"})
	require.NoError(t, err, source)
	return adapted
}

// startsWithDirective tells directives from sites' addresses, which Caddy would
// take any word for.
var startsWithDirective = regexp.MustCompile(`\A(#.*\n|\s)*[a-z_]+[ \n]`)

var (
	environment = regexp.MustCompile(`\{(?:env\.|\$)([A-Z_]+)\}`)
	file        = regexp.MustCompile(`\{file\.([^}]+)\}`)
	keysFile    = regexp.MustCompile(`/etc/caddy/[a-z]+-keys\.json`)
)

// secret is long enough for all that wants one.
const secret = "a-secret-of-more-than-thirty-two-bytes"

// machine is a folder with what configurations name.
type machine string

// code is that of a block, which finds its files in the folder, and its variables
// in the environment.
func (m machine) code(t *testing.T, b Block) string {
	t.Helper()
	for _, match := range environment.FindAllStringSubmatch(b.Code, -1) {
		value := secret
		if strings.HasSuffix(match[1], "_URL") || strings.HasSuffix(match[1], "_URIS") {
			value = "https://example.com/path"
		}
		if strings.HasSuffix(match[1], "_HASH") {
			value = strings.Repeat("0a", 32)
		}
		t.Setenv(match[1], value)
	}
	code := b.Code
	put := func(named string, content []byte) {
		path := filepath.Join(string(m), filepath.Base(named))
		if strings.Contains(code, named) {
			require.NoError(t, os.WriteFile(path, content, 0o600))
		}
		code = strings.ReplaceAll(code, named, path)
	}
	for _, match := range file.FindAllStringSubmatch(b.Code, -1) {
		put(match[1], []byte(secret))
	}
	authority := clientcerttest.NewAuthority("clients")
	certificate, key := clientcerttest.PEM(authority.Issue(x509.Certificate{}))
	for name, content := range map[string][]byte{"clients-ca.pem": authority.PEM(), "cluster-ca.pem": authority.PEM(), "gateway.pem": certificate, "gateway.key": key} {
		put("/etc/caddy/"+name, content)
	}
	ecKey := must.Have(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	set := must.Have(json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: ecKey.Public(), KeyID: "k1"}}}))(t)
	for _, name := range keysFile.FindAllString(code, -1) {
		put(name, set)
	}
	if strings.Contains(code, "/etc/caddy/signing") {
		for name, key := range map[string]any{"signing.pem": must.Have(rsa.GenerateKey(rand.Reader, 2048))(t), "signing-p256.pem": ecKey} {
			der := must.Have(x509.MarshalPKCS8PrivateKey(key))(t)
			put("/etc/caddy/"+name, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
		}
	}
	if pages := filepath.Join(string(m), "pages"); strings.Contains(code, "/etc/caddy/pages") { // what users see
		require.NoError(t, os.Mkdir(pages, 0o700))
		page := []byte("<html><head>{{.Head}}</head><body>{{.Content}}</body></html>")
		require.NoError(t, os.WriteFile(filepath.Join(pages, "page.html"), page, 0o600))
		code = strings.ReplaceAll(code, "/etc/caddy/pages", pages)
	}
	put("/etc/caddy/logo.svg", []byte("<svg></svg>"))
	return strings.NewReplacer("/var/log/", string(m)+"/", "/etc/caddy/snippets", string(m)).Replace(code)
}
