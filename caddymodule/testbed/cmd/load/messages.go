package main

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

//go:embed message.txt
var sample string

// segmentation is a request with a message of about so many bytes: whole lines of the
// sample, over again if it has fewer.
func segmentation(size int) []byte {
	var message strings.Builder
	for message.Len() < size {
		for line := range strings.Lines(sample) {
			if message.Len() < size {
				message.WriteString(line)
			}
		}
	}
	return post("parsers/segmentation?classify=true", map[string]string{"value": message.String()})
}

func personification() []byte {
	return post("generators/personification", map[string][]string{"languages": {"Python", "Go"}, "personas": {"Backend Developer", "SRE"}})
}

func post(endpoint string, value any) []byte {
	body := fail.Must(json.Marshal(value))
	return fmt.Appendf(nil, "POST /machine_learning/text/technical_language/%s HTTP/1.1\r\nHost: localhost\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", endpoint, len(body), body)
}
