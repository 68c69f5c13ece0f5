package paths

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPublic(t *testing.T) {
	paths, err := NewPublic([]string{"/", "/favicon.ico", "/assets/*", "/users/*/Photo.png"})
	require.NoError(t, err)
	for path, want := range map[string]bool{
		"/": true, "/favicon.ico": true, "/assets/app.js": true, "/assets/a/B.min.css": true, "/assets/a/": true, "/users/7/Photo.png": true, "/favicon.ico/": true,
		"": false, "/assets": false, "/assets/": false, "/other": false, "/FAVICON.ICO": false, "/users/7/photo.png": false, "/users/7/8/Photo.png": false,
		// Each of these is another path for some server.
		"//": false, "/assets//app.js": false, "/assets/../admin": false, "/assets/./app.js": false, "/assets/..": false, "/assets/.": false,
		"/assets/..;/admin": false, "/assets/a;x": false, "/assets/%2e%2e/admin": false, "/assets/%2e%2e%2fadmin": false, "/assets/..%2fadmin": false,
		"/assets/..%5cadmin": false, `/assets/..\admin`: false, "/assets/%252e%252e/admin": false, "/assets/a%00": false, "/assets/a%20b": false,
		"/assets/%c0%ae%c0%ae/admin": false, "/assets/\u2025/admin": false, "/assets/a.": false, "/assets/.../admin": false, "/assets/x.php/admin": false,
		"/assets/x.PHP/admin/": false, "/assets/index.php/": false, "/(S(x))/assets/a": false, "*": false, "assets/a": false,
	} {
		require.Equal(t, want, paths.Has(path, path, nil), path)
	}
	require.True(t, paths.Has("/assets/a", "/app/assets/a", nil), "a prefix that a handle_path took off")
	require.False(t, paths.Has("/", "/admin", nil), "rewritten; FastCGI still sees the first")
	require.False(t, paths.Has("/assets/a", "/x/..;/assets/a", nil))
	require.False(t, paths.Has("/assets/a", "/assets/a", http.Header{"X-Original-Url": {"/admin"}}))
	require.False(t, paths.Has("/assets/a", "/assets/a", http.Header{"X_rewrite_url": {"/admin"}}))
	require.True(t, paths.Has("/assets/a", "/assets/a", http.Header{"Accept": {"text/html"}}))
	require.True(t, Public{{segments: []string{"a"}}}.Has("/a", "/a", nil))
	require.False(t, Public(nil).Has("/", "/", nil))
	for _, pattern := range []string{"", "assets", "/*", "/a*", "/a*/b", "/a//b", "/a/../b", "/a b", "/a%20b", "/ä", "/*.js"} {
		_, err := NewPublic([]string{pattern})
		require.Error(t, err, pattern)
	}
}
