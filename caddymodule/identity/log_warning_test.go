package identity

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// oldFilter is that of Caddyfile.example before there was oauth_redact.
const oldFilter = `format filter {
	wrap json
	fields {
		request>uri regexp "\?.*$" "?REDACTED"
		request>headers>Referer delete
		request>headers>X-Forwarded-Uri delete
		resp_headers>Location delete
		headers>Location delete
	}
}`

// TestLogsThatShowCodesAreNamed loads configurations, one after the other, and reads
// the warnings in the log of each: the site, the log and the fields.
func TestLogsThatShowCodesAreNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process")
	}
	const all = "request>headers>Referer request>headers>X-Forwarded-Uri request>uri resp_headers>Location"
	const gateway = "\nidentity_gateway {idp}\n"
	tests := []struct {
		name, global, site string
		want               []string // log: fields
	}{
		{"no access log", "", gateway, nil},
		{"an access log", "", "log" + gateway, []string{"default: " + all}},
		{"its own file", "", "log {\noutput file {root}/site.log\n}" + gateway, []string{"log0: " + all}},
		{"the format in the site's", "", "log {\noutput file {root}/site.log\nformat oauth_redact\n}" + gateway, nil},
		{"the format in another one", "log default {\nformat oauth_redact\noutput file {root}/log\n}", "log {\noutput file {root}/site.log\n}" + gateway, []string{"log0: " + all}},
		{"a name", "", "log audit {\noutput file {root}/site.log\nformat console\n}" + gateway, []string{"audit: " + all}},
		{"a name of its requests", "log named {\noutput file {root}/named.log\ninclude http.log.access.audit\n}", "log\nlog_name audit" + gateway, []string{"named: " + all}}, // Caddy leaves it out of the default log
		{"not in this log", "log other {\noutput file {root}/other.log\ninclude http.log.access.other\n}", "log {\nformat oauth_redact\n}" + gateway, nil},
		{"all logs but this", "log other {\noutput file {root}/other.log\nexclude http.log.access\n}", "log {\nformat oauth_redact\n}" + gateway, nil},
		{"errors only", "log errors {\nlevel ERROR\noutput file {root}/errors.log\n}", "log {\nformat oauth_redact\n}" + gateway, []string{"errors: " + all}},
		{"nowhere", "", "log {\noutput discard\n}" + gateway, nil},
		{"a filter that deletes all", "", "log {\n" + oldFilter + "\n}" + gateway, nil},
		{"a filter that forgets one", "", "log {\n" + strings.Replace(oldFilter, "resp_headers>Location delete", "", 1) + "\n}" + gateway, []string{"log0: resp_headers>Location"}},
		{"a filter in the format", "", "log {\nformat filter {\nwrap oauth_redact\nrequest>method delete\n}\n}" + gateway, nil},
		{"an appended field", "", "log {\n" + oldFilter + "\n}\nlog_append query {query}" + gateway, []string{"log0: request>uri"}},
		{"a harmless field", "", "log {\n" + oldFilter + "\n}\nlog_append reference {http.identity_gateway.reference}" + gateway, nil},
		{"credentials", "servers {\nlog_credentials\n}", "log {\n" + oldFilter + "\n}" + gateway, []string{"log0: request>headers>Authorization request>headers>Cookie"}},
		{"skipped", "", "log\nlog_skip" + gateway, nil},
		{"a nested gateway", "", "log\nhandle_path /idp/* {" + gateway + "}", []string{"default: " + all}},
		{"no gateway", "", "log\nrespond hello", nil},
		{"debug", "debug", gateway, []string{"default: headers>Location request>headers>Referer request>headers>X-Forwarded-Uri request>uri"}},
	}
	root := t.TempDir()
	folder := func(test int) string { return filepath.Join(root, strconv.Itoa(test)) }
	sources := make([]string, len(tests))
	for i, test := range tests {
		require.NoError(t, os.Mkdir(folder(i), 0o700))
		defaultLog := "log default {\noutput file {root}/log\n}"
		if strings.Contains(test.global, "log default") {
			defaultLog = ""
		}
		sources[i] = strings.ReplaceAll("{\nadmin off\nauto_https off\nstorage file_system {root}/data\n"+defaultLog+"\n"+test.global+"\n}\nhttp://login.example:{port} {\nbind 127.0.0.1\n"+test.site+"\n}\n", "{root}", folder(i))
	}
	startNode(t, newRecorder(t, nil), root, sources...).stop()
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			lines, err := os.ReadFile(filepath.Join(folder(i), "log"))
			require.NoError(t, err)
			var got []string
			for line := range strings.Lines(string(lines)) {
				var warning struct {
					Level, Logger, Msg, Site, Log, Output string
					Fields                                []string
				}
				require.NoError(t, json.Unmarshal([]byte(line), &warning))
				if strings.Contains(warning.Msg, "format oauth_redact") {
					require.Equal(t, "warn", warning.Level)
					require.Equal(t, "identity_gateway", warning.Logger)
					require.Equal(t, "login.example", warning.Site)
					require.NotEmpty(t, warning.Output)
					got = append(got, warning.Log+": "+strings.Join(warning.Fields, " "))
				}
			}
			require.Equal(t, test.want, got)
		})
	}
}
