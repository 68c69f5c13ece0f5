package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// Operation is a kind of a client's work.
type Operation struct {
	Name string
	// Do does it once, at the gateway with this address.
	Do func(ctx context.Context, gateway string) error
}

// Paths of the language endpoints.
const (
	Segmentation    = "/machine_learning/text/technical_language/parsers/segmentation"
	Personification = "/machine_learning/text/technical_language/generators/personification"
)

// Site is a gateway in front of an IdP with everything that the operations need.
// options are further ones of the directive identity_gateway.
func Site(address, idp, options string) string {
	return fmt.Sprintf("http://%s {\n\t%s\n\ttext_segmentation\n\tpersonification\n}", address,
		strings.ReplaceAll(Directive(idp, options), "\n", "\n\t"))
}

// IdentitySite is a gateway without the language endpoints, whose models take time to load.
func IdentitySite(address, idp, options string) string {
	return fmt.Sprintf("http://%s {\n\t%s\n}", address, strings.ReplaceAll(Directive(idp, options), "\n", "\n\t"))
}

// Identity are the operations of an [IdentitySite].
func Identity(client *http.Client) []Operation { return Mixed(client)[:2] }

// Mixed are all operations.
func Mixed(client *http.Client) []Operation {
	return []Operation{
		{"login and user info", func(ctx context.Context, gateway string) error { return login(ctx, client, gateway) }},
		{"refusal", func(ctx context.Context, gateway string) error { return refusal(ctx, client, gateway) }},
		{"segmentation", func(ctx context.Context, gateway string) error {
			return post(ctx, client, gateway+Segmentation+"?classify=true", "application/json", `{"value":`+message+`}`, `"iterable":[`)
		}},
		{"personification", func(ctx context.Context, gateway string) error {
			return post(ctx, client, gateway+Personification, "application/json", `{"languages":["Go","SQL"],"personas":["SRE"]}`, `"seeds":`)
		}},
		{"batch", func(ctx context.Context, gateway string) error {
			return post(ctx, client, gateway+Segmentation, "application/x-ndjson", strings.Repeat(`{"value":`+message+"}\n", 5), "\n")
		}},
	}
}

const message = `"It fails since Tuesday:\n\ndef upload(path):\n    return open(path).read()\n\nERROR upload.py:17 connection reset by peer\n\nAny hint?"`

// login is a whole login, and what the application asks with its token.
func login(ctx context.Context, client *http.Client, gateway string) error {
	token, err := NewLogin(client, gateway).Run(ctx)
	if err != nil {
		return err
	}
	return UserInfo(ctx, client, gateway, token)
}

// refusal is a login for an address that is not registered, which must not reach the IdP.
func refusal(ctx context.Context, client *http.Client, gateway string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, gateway+"/authorize?response_type=code&redirect_uri=https%3A%2F%2Fevil.example&client_id="+ClientID, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	_, err = send(client, request, http.StatusBadRequest, "redirect_uri")
	return err
}

// post sends a body, to which the answer must contain a text.
func post(ctx context.Context, client *http.Client, target, contentType, body, want string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	answer, err := send(client, request, http.StatusOK, want)
	if err == nil && contentType == "application/x-ndjson" && strings.Count(answer, "\n") != strings.Count(body, "\n") {
		err = errors.New("lines are missing")
	}
	return err
}

// send sends a request, whose response must have a status and contain a text.
func send(client *http.Client, request *http.Request, status int, want string) (string, error) {
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode != status || !strings.Contains(string(body), want) {
		return "", fmt.Errorf("%s: status %d: %.200s", request.URL.Path, response.StatusCode, body)
	}
	return string(body), nil
}

// Again sends a request again whose connection was dropped, as browsers do: Caddy
// opens its sockets anew with each configuration, and the kernel resets what waits
// at those that are closed.
type Again struct{ http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (a Again) RoundTrip(r *http.Request) (*http.Response, error) {
	for tries := 0; ; tries++ {
		response, err := a.RoundTripper.RoundTrip(r)
		if tries == 3 || !isDropped(err) {
			return response, err
		}
		if r.GetBody != nil {
			r = r.Clone(r.Context())
			if r.Body, err = r.GetBody(); err != nil {
				return nil, err
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// isDropped reports that a connection was closed before an answer began.
func isDropped(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.EPIPE) ||
		err != nil && strings.Contains(err.Error(), "server closed idle connection") // net/http has no name for it
}
