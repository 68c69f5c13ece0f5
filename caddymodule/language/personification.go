package language

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/operation"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/readiness"
	"github.com/identity-gateway/caddy-identity-gateway/persona"
)

const personificationPath = "/machine_learning/text/technical_language/generators/personification"

func init() {
	caddy.RegisterModule(Personification{})
}

// Personification is a handler that chooses onboarding snippets for a new user's languages and personas. It serves
//
//	POST /machine_learning/text/technical_language/generators/personification
//
// and passes every other request to the next handler. The response is JSON, or a Markdown page if the client prefers text/plain
// or text/markdown. Many requests can come as newline-delimited JSON.
type Personification struct {
	Options

	// A folder with tasks, personas and languages that are added to the embedded catalogue, or replace its entries of the same
	// name. Placeholders such as `{env.CATALOGUE}` are resolved when the configuration is loaded.
	Catalogue string `json:"catalogue,omitempty"`

	// The SHA-256 of the folder's files when the configuration was written. It is not compared with anything: Caddy reloads a
	// configuration only if it differs from the running one, and this is what differs when only the catalogue has changed. The
	// Caddyfile adapter fills it in; in JSON write anything new.
	CatalogueDigest string `json:"catalogue_digest,omitempty"`

	catalogue *persona.Catalogue
	writer    *contract.SelectionWriter
}

// CaddyModule returns the Caddy module information.
func (Personification) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{ID: "http.handlers.personification", New: func() caddy.Module { return new(Personification) }}
}

// Provision sets up the handler and reads the catalogues, so that a mistake in the operator's own stops the configuration from
// loading, not a request.
func (p *Personification) Provision(ctx caddy.Context) (err error) {
	defer args.SegmentOf(p).Locate(&err)
	fixed := operation.Options{Name: "personification", ResponseHeaders: []string{contract.NotUnderstoodHeader}}
	if err = p.provision(ctx, personificationPath, fixed, p.handle); err == nil {
		p.catalogue, err = p.loadCatalogue()
	}
	if err != nil {
		return fmt.Errorf("personification: %w", err)
	}
	p.writer = new(contract.SelectionWriter)
	return readiness.Add(ctx) // the catalogue is there, or the configuration does not load
}

// loadCatalogue lays the operator's own catalogue, if there is one, over the embedded one.
func (p *Personification) loadCatalogue() (*persona.Catalogue, error) {
	if p.Catalogue == "" {
		return persona.Default(), nil
	}
	folder, err := args.Resolve("catalogue", p.Catalogue)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(folder); err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", folder, errors.Unwrap(err))
	} else if !info.IsDir() {
		return nil, fmt.Errorf("catalogue %s is a file; name the folder with tasks, personas and languages", folder)
	}
	catalogue, err := persona.Load(persona.Default(), os.DirFS(folder))
	if err != nil {
		return nil, fmt.Errorf("catalogue %s: %w", folder, err)
	}
	return catalogue, nil
}

// handle reads the query, and returns what chooses snippets.
func (p *Personification) handle(query string) (operation.Responder, error) {
	parameters, err := operation.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	exclude, choice, explain := parameters.List("exclude"), parameters.Number("seed"), parameters.Flag("explain", false)
	usage := parameters.Flag("usage", true)
	if err := parameters.Err(); err != nil {
		return nil, err
	}
	others := parameters.Others()
	return func(_ context.Context, dst []byte, r operation.Request) (response operation.Response, err error) {
		var selection persona.Selection
		request, err := contract.DecodeRequest(r.Body)
		if err == nil {
			request.Exclude, request.Choice = exclude, choice
			selection, err = p.catalogue.Generate(request, persona.DefaultLimit)
		}
		if err != nil {
			return operation.Response{Body: dst}, operation.BadRequest(contract.RuleOf(err), err)
		}
		for _, name := range others {
			selection.Unknown = append(selection.Unknown, persona.Unknown{Field: "query", Name: name})
		}
		selection.CodeOnly = !usage
		if names := contract.NotUnderstood(selection.Unknown); names != "" {
			response.Field = [2]string{contract.NotUnderstoodHeader, names}
		}
		if r.Format == operation.JSON {
			response.Body = p.writer.Append(dst, selection, explain)
		} else {
			response.Body = selection.AppendMarkdown(dst)
		}
		return response, nil
	}, nil
}

// Interface guards
var (
	_ caddy.Provisioner           = (*Personification)(nil)
	_ caddy.CleanerUpper          = (*Personification)(nil)
	_ caddyhttp.MiddlewareHandler = (*Personification)(nil)
	_ caddyfile.Unmarshaler       = (*Personification)(nil)
)

// digestOf is the SHA-256 of the files of a catalogue's folder, in hexadecimal: it changes if a file is added, removed, renamed
// or changed. Hidden files do not count. It is empty if they can't be read here: what is wrong with the folder is told when the
// configuration is loaded.
func digestOf(catalogue string) string {
	folder, err := args.Resolve("catalogue", catalogue)
	if err != nil || folder == "" {
		return ""
	}
	h, files := sha256.New(), os.DirFS(folder)
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(path.Base(name), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		content, err := io.ReadAll(io.LimitReader(f, maxDigested))
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%d %s %d\n", len(name), name, len(content))
		h.Write(content)
		return nil
	})
	if err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// maxDigested is how many bytes of a file count: more than a catalogue's may have.
const maxDigested = 128 << 10
