// snippet:check
//go:build ignore

// snippet:usage
package main

// snippet:end
// snippet:doc https://pkg.go.dev/crypto/hmac crypto/hmac
import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	// snippet:usage
	"fmt"
	// snippet:end
	"io"
	"net/http"
	// snippet:usage
	"net/http/httptest"
	// snippet:end
	"strings"
)

// Verified lets only requests through whose X-Signature is the HMAC of the body.
func Verified(secret []byte, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, "cannot read the body, or it is over 1 MiB", http.StatusBadRequest)
			return
		}
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		given, err := hex.DecodeString(strings.TrimPrefix(r.Header.Get("X-Signature"), "sha256="))
		if err != nil || !hmac.Equal(given, mac.Sum(nil)) {
			http.Error(w, "bad signature", http.StatusUnauthorized)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// snippet:usage
// snippet:prints 200 paid
// snippet:prints 401 bad signature
func main() {
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	for _, signature := range []string{"8a3a98ec383a712d90c5841e5cd1b342339f3c3eadd474f13a9ad32a93ad0d71", "00"} {
		r := httptest.NewRequest("POST", "/", strings.NewReader("paid"))
		r.Header.Set("X-Signature", "sha256="+signature)
		w := httptest.NewRecorder()
		Verified([]byte("key"), echo).ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
}
