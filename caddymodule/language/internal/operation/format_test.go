package operation

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestContentNegotiation(t *testing.T) {
	for name, tt := range map[string]struct {
		accept []string
		want   Format
	}{
		"absent":                  {nil, JSON},
		"text":                    {[]string{"text/plain; charset=utf-8"}, Plain},
		"Markdown":                {[]string{"text/markdown"}, Markdown},
		"Markdown or text":        {[]string{"text/markdown, text/plain;q=0.9"}, Markdown},
		"tie":                     {[]string{"text/plain, application/json"}, JSON},
		"neither still gets JSON": {[]string{"image/png"}, JSON},
		"text excluded":           {[]string{"text/plain;q=0"}, JSON},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, negotiate(tt.accept)) })
	}
}
