package readiness

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			}))
			defer admin.Close()
			var printed bytes.Buffer
			command := Command()
			command.SetOut(&printed)
			command.SetArgs([]string{"--address", strings.TrimPrefix(admin.URL, "http://")})
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

func TestTheCommandSaysThatNothingListens(t *testing.T) {
	require.ErrorContains(t, ask(io.Discard, "unix/"+t.TempDir()+"/admin.sock"), "the admin endpoint")
}
