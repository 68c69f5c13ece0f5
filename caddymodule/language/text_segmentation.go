package language

import (
	"context"
	"fmt"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/metrics"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/operation"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/segment"
)

const segmentationPath = "/machine_learning/text/technical_language/parsers/segmentation"

func init() {
	caddy.RegisterModule(TextSegmentation{})
}

// TextSegmentation is a handler that splits a message into text and code, and on request names the language of the code. It
// serves
//
//	POST /machine_learning/text/technical_language/parsers/segmentation?classify=<true|false>
//
// and passes every other request to the next handler. With &confidence=true the response also has each language's name and
// confidence. The message comes as JSON, as text/plain, or one of many as newline-delimited JSON. The response is JSON, or
// Markdown with fenced and tagged code if the client prefers text/plain or text/markdown.
type TextSegmentation struct {
	Options

	segmenter *segment.Segmenter
	segments  *metrics.PerServer[segmentSeries]
}

// CaddyModule returns the Caddy module information.
func (TextSegmentation) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.text_segmentation", New: func() caddy.Module { return new(TextSegmentation) }}
}

// Provision sets up the handler and decodes the embedded models, so that the first request does not wait for them.
func (ts *TextSegmentation) Provision(ctx caddy.Context) (err error) {
	defer args.SegmentOf(ts).Locate(&err)
	ts.segmenter = segment.Default()
	if err := ts.provision(ctx, segmentationPath, operation.Options{Name: "segmentation", AcceptsText: true}, ts.handle); err != nil {
		return fmt.Errorf("text_segmentation: %w", err)
	}
	m := newSegmentMetrics()
	ts.segments = metrics.NewPerServer(m.series)
	if err := metrics.Register(ctx.GetMetricsRegistry(), m.segments, m.modelInfo); err != nil {
		return err
	}
	return readiness.Add(ctx, readiness.Check{Name: "models", Probe: func(ctx context.Context) error {
		_, err := ts.segmenter.AppendClassified(ctx, nil, "x = 1\n")
		return err
	}})
}

// handle reads the query, and returns what segments the messages.
func (ts *TextSegmentation) handle(query string) (operation.Responder, error) {
	parameters, err := operation.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	options := contract.SegmentOptions{Classify: parameters.Flag("classify", false), Confidence: parameters.Flag("confidence", false), MinConfidence: segment.LeastConfidence}
	if err := parameters.Err(); err != nil {
		return nil, err
	}
	return func(ctx context.Context, dst []byte, request operation.Request) (operation.Response, error) {
		decode := contract.DecodeMessage
		if request.IsText {
			decode = contract.DecodeText
		}
		text, err := decode(request.Body)
		if err != nil {
			return operation.Response{Body: dst}, operation.BadRequest(contract.RuleOf(err), err)
		}
		segments, err := contract.Segments(ctx, ts.segmenter, text, options.Classify)
		if err != nil {
			return operation.Response{Body: dst}, err
		}
		ts.segments.Of(ctx).count(segments)
		if request.Format != operation.JSON {
			return operation.Response{Body: segment.AppendMarkdown(dst, text, segments, options.MinConfidence)}, nil
		}
		return operation.Response{Body: contract.AppendSegments(dst, text, segments, options)}, nil
	}, nil
}

// Interface guards
var (
	_ caddy.Provisioner           = (*TextSegmentation)(nil)
	_ caddy.CleanerUpper          = (*TextSegmentation)(nil)
	_ caddyhttp.MiddlewareHandler = (*TextSegmentation)(nil)
	_ caddyfile.Unmarshaler       = (*TextSegmentation)(nil)
)
