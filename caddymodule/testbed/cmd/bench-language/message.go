package main

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"strings"
)

//go:embed message.md
var sample string

// messageOf returns a message of about size bytes: whole lines of the sample,
// over again if it has fewer.
func messageOf(size int) string {
	var message strings.Builder
	for {
		for line := range strings.Lines(sample) {
			message.WriteString(line)
			if message.Len() >= size {
				return message.String()
			}
		}
	}
}

// responseSize asks the endpoint once.
func (s *server) responseSize(sc scenario) (int, error) {
	response, err := http.Post("http://"+s.address+sc.path, "application/json", strings.NewReader(string(sc.body)))
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err
	}
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s responded %s: %s", sc.name, response.Status, content)
	}
	return len(content), nil
}
