package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// segment is what the demo reads of a SegmentedTechnicalLanguageFragment.
type segment struct {
	Generic  string `json:"generic"`
	Specific string `json:"specific"`
	Fragment struct {
		String struct {
			Raw string `json:"raw"`
		} `json:"string"`
	} `json:"fragment"`
}

// segment asks the gateway to take the message apart and to name the languages.
func (g gatewayClient) segment(ctx context.Context, message string) ([]segment, error) {
	body, err := json.Marshal(map[string]string{"value": message})
	if err != nil {
		return nil, fmt.Errorf("encoding the message: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost,
		g.url+"/machine_learning/text/technical_language/parsers/segmentation?classify=true", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("the gateway's address cannot be used: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("segmenting the message: %w", err)
	}
	content, err := readResponse(response, "segmenting the message")
	if err != nil {
		return nil, err
	}
	var segmented struct {
		Iterable []segment `json:"iterable"`
	}
	if err := json.Unmarshal(content, &segmented); err != nil {
		return nil, fmt.Errorf("the segments are not JSON: %w", err)
	}
	return segmented.Iterable, nil
}

func printSegments(out io.Writer, segments []segment) {
	for _, s := range segments {
		label := s.Generic
		if s.Specific != "" {
			label += " " + s.Specific
		}
		raw := strings.Trim(s.Fragment.String.Raw, "\r\n")
		lines := strings.Split(raw, "\n")
		fmt.Fprintf(out, "\n  %-20s %s\n", label, count(len(lines), "line"))
		for _, line := range lines {
			fmt.Fprintf(out, "  | %s\n", line)
		}
	}
}

func printUser(out io.Writer, user map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(user)) {
		fmt.Fprintf(out, "  %-16s %v\n", name, user[name])
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
