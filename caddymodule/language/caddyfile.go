package language

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"

	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/args"
)

func init() {
	httpcaddyfile.RegisterDirective("personification", parsePersonification)
	httpcaddyfile.RegisterDirectiveOrder("personification", httpcaddyfile.After, "push") // and so after require_token
	httpcaddyfile.RegisterDirective("text_segmentation", parseTextSegmentation)
	httpcaddyfile.RegisterDirectiveOrder("text_segmentation", httpcaddyfile.After, "push")
}

func parseTextSegmentation(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	return args.ParseHandler(h, new(TextSegmentation), http.MethodPost, func() string { return segmentationPath })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: text_segmentation [<matcher>] { … }, with
// the options of README.md.
func (ts *TextSegmentation) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if err := args.None(d); err != nil {
		return err
	}
	return args.Block(d, "text_segmentation", ts.Options.with(args.Options{}))
}

func parsePersonification(h httpcaddyfile.Helper) ([]httpcaddyfile.ConfigValue, error) {
	return args.ParseHandler(h, new(Personification), http.MethodPost, func() string { return personificationPath })
}

// UnmarshalCaddyfile sets up the handler from Caddyfile tokens: personification [<matcher>] { … }, with
// the options of README.md.
// The catalogue's files are a part of the configuration: caddy reload sees that
// they have changed, if it is run where the folder is.
func (p *Personification) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	if err := args.None(d); err != nil {
		return err
	}
	err := args.Block(d, "personification", p.Options.with(args.Options{
		"catalogue": args.String(&p.Catalogue),
	}))
	p.CatalogueDigest = digestOf(p.Catalogue)
	return err
}

// digestOf is the SHA-256 of the files of a catalogue's folder, in hexadecimal: it changes
// if a file is added, removed, renamed or changed. Hidden files do not count. It is empty if
// they can't be read here: what is wrong with the folder is told when the configuration is
// loaded.
func digestOf(catalogue string) string {
	folder, err := args.Resolve("catalogue", catalogue)
	if err != nil || folder == "" {
		return ""
	}
	digest, err := digest(os.DirFS(folder))
	if err != nil {
		return ""
	}
	return digest
}

// maxDigested is how many bytes of a file count: more than a catalogue's may have.
const maxDigested = 128 << 10

func digest(files fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(base, "."):
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
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
