package body

import (
	"fmt"
	"io"
	"net/http"
)

// Fetch sends a request, follows no redirect, and reads a response body of at most limit
// bytes.
func Fetch(client *http.Client, request *http.Request, limit int64) (status int, content []byte, err error) {
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := direct.Do(request) //nolint:gosec // whoever calls it says where to
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	content, err = io.ReadAll(io.LimitReader(OfResponse(response), limit+1))
	if int64(len(content)) > limit {
		err = fmt.Errorf("the response is larger than %d bytes", limit)
	}
	return response.StatusCode, content, err
}
