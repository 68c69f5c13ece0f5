package readiness

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/stretchr/testify/require"
)

func TestTheCommandTellsWhatIsNotReady(t *testing.T) {
	for name, test := range map[string]struct {
		status  int
		body    string
		printed string
		failure string
	}{
		"ready": {
			200, `{"ready":true,"checks":[{"check":"models","ready":true},{"check":"replay_store","of":"https://idp.example","ready":true}]}`,
			"ready: models\nready: replay_store https://idp.example\n", "",
		},
		"without what is ignored": {
			200, `{"ready":true,"checks":[{"check":"identity_provider","of":"https://idp.example","ready":false,"reason":"connection refused"}]}`,
			"not ready, ignored: identity_provider https://idp.example: connection refused\n", "",
		},
		"a store that is away": {
			503, `{"ready":false,"checks":[{"check":"models","ready":true},{"check":"replay_store","of":"https://idp.example","ready":false,"reason":"connection refused"}]}`,
			"", "not ready: replay_store https://idp.example: connection refused",
		},
		"no handlers":            {503, `{"ready":false,"reason":"no configuration is running","checks":[]}`, "", "not ready: no configuration is running"},
		"a Caddy without plugin": {404, `{"error":"unknown path"}`, "", "HTTP 404"},
	} {
		t.Run(name, func(t *testing.T) {
			admin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				require.Equal(t, Path, r.URL.Path)
				require.Equal(t, []string{"identity_provider", "models"}, r.URL.Query()["ignore"])
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			}))
			defer admin.Close()
			var printed bytes.Buffer
			command := Command()
			command.SetOut(&printed)
			command.SetArgs([]string{"--address", strings.TrimPrefix(admin.URL, "http://"), "--ignore", "identity_provider,models"})
			command.SilenceErrors, command.SilenceUsage = true, true
			err := command.Execute()
			if test.failure == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.failure)
			}
			require.Equal(t, test.printed, printed.String())
		})
	}
}

func TestTheCommandSaysWhatToDo(t *testing.T) {
	err := ask(io.Discard, "unix/"+t.TempDir()+"/admin.sock", "Caddyfile", nil)
	require.ErrorContains(t, err, "the admin endpoint by Caddyfile")
	require.ErrorContains(t, err, "start Caddy")
	require.ErrorContains(t, err, "--address unix//run/caddy/admin.sock")
}

func TestTheCommandReadsTheGlobalOptionsAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("SOCKET", "/run/s")
	for content, want := range map[string]string{
		"{\n\temail a@example.com\n}\n":                                 caddy.DefaultAdminListen,
		"{\n\tadmin {\n\t}\n}\n":                                        caddy.DefaultAdminListen,
		"{\n\tadmin localhost:2020\n}\n":                                "localhost:2020",
		"{\n\tadmin \"unix/{$SOCKET}|0600\"\n}":                         "unix//run/s|0600",
		"{\n\tadmin unix//a\n}\n{$UNSET:x://} {\n\tidentity_gateway\n}": "unix//a",
	} {
		require.NoError(t, os.WriteFile("Caddyfile", []byte(content), 0o600))
		got, from, err := adminAddress("", "")
		require.NoError(t, err, content)
		require.Equal(t, want, got, content)
		require.Equal(t, "Caddyfile", from)
	}
	require.NoError(t, os.WriteFile("off.conf", []byte("{\n\tadmin off\n}\n"), 0o600))
	_, _, err := adminAddress("off.conf", "")
	require.ErrorContains(t, err, "off.conf has admin off")
	require.NoError(t, os.WriteFile("c.json", []byte(`{"admin":{"listen":"unix//j"}}`), 0o600))
	got, _, err := adminAddress("c.json", "")
	require.NoError(t, err)
	require.Equal(t, "unix//j", got)
	_, _, err = adminAddress("none", "")
	require.ErrorContains(t, err, "none")
}
