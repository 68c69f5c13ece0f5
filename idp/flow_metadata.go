package idp

import (
	"net/http"

	"github.com/identity-gateway/caddy-identity-gateway/idp/cors"
)

// serveMetadata is what clients find the gateway by, which is public.
func (f *flow) serveMetadata(document metadataDocument) (Response, error) {
	w := recorder{header: f.header, status: http.StatusOK}
	if cors.OpenToAll(&w, f.r.Request) {
		return w.response(), nil
	}
	if !f.policy.knowsMetadata() {
		f.policy = f.gateway.await(f.r.Context())
	}
	content, err := f.policy.serverMetadata(document)
	if err != nil {
		f.begin(NoEndpoint)
		return Response{}, err
	}
	return Response{http.StatusOK, http.Header{"Content-Type": {"application/json"}, "Cache-Control": {"max-age=300"}}, content}, nil
}
