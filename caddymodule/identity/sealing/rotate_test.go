package sealing

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/caddyserver/caddy/v2/modules/filestorage"
	"github.com/caddyserver/certmagic"
	"github.com/stretchr/testify/require"
)

// runRotate runs the command with a configuration, and returns what it prints.
func runRotate(t *testing.T, config string, arguments ...string) (string, error) {
	file := filepath.Join(t.TempDir(), "caddy.json")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	cmd := Command()
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SilenceUsage = true
	cmd.SetArgs(append([]string{"--config", file}, arguments...))
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

// serving is an app http with a gateway that has these options.
func serving(options string) string {
	return `{"servers":{"s":{"routes":[{"handle":[{"handler":"identity_gateway","auth_url":"https://idp.example",` + options + `}]}]}}}`
}

func TestRotateKeyWorksOnTheConfiguredStorage(t *testing.T) {
	folder := t.TempDir()
	config := `{"storage":{"module":"file_system","root":"` + folder + `"},"apps":{"http":` + serving(`"callback":"/oauth/callback"`) + `}}`
	_, err := runRotate(t, config)
	require.ErrorContains(t, err, "has no keys in identity_gateway/keys: name the gateway's configuration by --config")
	require.ErrorContains(t, err, folder)

	storage := &certmagic.FileStorage{Path: folder}
	_, err = createKey(t.Context(), storage, time.Now().Add(-time.Hour))
	require.NoError(t, err)
	running := storageKeyring(t, storage, time.Now)
	keys, err := running.Current(t.Context())
	require.NoError(t, err)
	out, err := runRotate(t, config)
	require.NoError(t, err)
	stored, err := readKeys(t.Context(), storage)
	require.NoError(t, err)
	require.Len(t, stored, 2)
	made := stored[1]
	require.Contains(t, out, "Made "+made.name+". It seals from "+made.made.Add(keysSettle).Format("2006-01-02T15"))
	require.NotContains(t, out, string(made.master))

	sealed := keys.SealLasting("refresh", "", nil)
	later := storageKeyring(t, storage, func() time.Time { return time.Now().Add(keysSettle + time.Second) })
	keys, err = later.Current(t.Context())
	require.NoError(t, err)
	_, current, err := keys.OpenLasting("refresh", "", sealed)
	require.NoError(t, err)
	require.False(t, current)
}

func TestForgottenKeys(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	for name, tc := range map[string]struct {
		unused time.Duration
		left   string
	}{
		"none is that old":                     {60 * day, "January May June June-new"},
		"one was replaced a month ago":         {30*day - 10*time.Minute, "May June June-new"},
		"all that do not seal":                 {0, "June June-new"},
		"exactly when it was replaced":         {31*day + 12*time.Hour - 10*time.Minute, "May June June-new"},
		"a second before it is that long past": {31*day + 12*time.Hour - 10*time.Minute + time.Second, "January May June June-new"},
	} {
		t.Run(name, func(t *testing.T) {
			storage := writeKeys(t, map[string]string{
				"20260101T000000-January": base64Of(32), "20260501T000000-May": base64Of(33), "20260531T000000-June": base64Of(34), "20260601T115500-June-new": base64Of(35),
			})
			var out bytes.Buffer
			require.NoError(t, forgetKeys(t.Context(), &out, storage, now, tc.unused))
			stored, err := readKeys(t.Context(), storage)
			require.NoError(t, err)
			var left []string
			for _, key := range stored {
				_, label, _ := strings.Cut(filepath.Base(key.name), "-")
				left = append(left, label)
			}
			require.Equal(t, tc.left, strings.Join(left, " "))
			require.Contains(t, out.String(), "of 4 keys are left.")
		})
	}
}

func TestRotateKeyThatHasNothingToDo(t *testing.T) {
	for config, says := range map[string]string{
		`{"apps":{"http":` + serving(`"callback":"/oauth/callback","sealing_keys":["`+testKey+`"]`) + `}}`: "get their keys from sealing_key: make one with openssl rand -base64 32",
		`{"storage":`: "unexpected",
	} {
		_, err := runRotate(t, config)
		require.Error(t, err, says)
		if says != "unexpected" {
			require.ErrorContains(t, err, says)
			require.NotContains(t, err.Error(), testKey)
		}
	}
}

func TestRotateKeyAndAStorageThatFails(t *testing.T) {
	files := writeKeys(t, map[string]string{"20260101T000000-A": base64Of(32), "20260201T000000-B": base64Of(33)})
	var out bytes.Buffer
	require.ErrorIs(t, rotateKey(t.Context(), &out, &alteredStorage{Storage: files, list: isAway}, time.Now()), errStorage)
	require.ErrorIs(t, rotateKey(t.Context(), &out, &alteredStorage{Storage: files, store: true}, time.Now()), errStorage)
	require.ErrorIs(t, forgetKeys(t.Context(), &out, &alteredStorage{Storage: files, load: true}, time.Now(), 0), errStorage)
	require.Empty(t, out.String())
}
