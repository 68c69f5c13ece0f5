package sealing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/go-jose/go-jose/v4"
	"go.uber.org/zap"

	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// signingFolder holds the signing keys of all issuers in Caddy's storage. Names have a hash of
// the issuer after the time.
const signingFolder = "identity_gateway/signing_keys"

// SigningKeys are those of a gateway's ID tokens: those of the configuration, or those in Caddy's
// storage.
type SigningKeys struct {
	shared[signing.Keys]
	issuer string
}

// NewSigning makes the signing keys of an issuer, the gateway's public URL, for the users of an
// identity provider: of these files in PEM, or the storage's if there are none.
func NewSigning(issuer, idp string, files []string, storage certmagic.Storage, logger *zap.Logger, now func() time.Time) (*SigningKeys, error) {
	k := &SigningKeys{shared[signing.Keys]{logger: logger, now: now, kind: "signing keys of " + issuer, idp: idp}, issuer}
	if k.load = k.read; len(files) == 0 {
		k.storage = storage
		return k, nil
	}
	var keys []*signing.Key
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("signing_key: %w", err)
		}
		key, err := signing.ParsePEM(issuer, content)
		if err != nil {
			return nil, fmt.Errorf("signing_key: %s %w", name, err)
		}
		keys = append(keys, key)
	}
	configured, err := signing.Configured(issuer, keys)
	if err != nil {
		return nil, fmt.Errorf("signing_key: %w", err)
	}
	k.keys.Store(configured)
	return k, nil
}

// Current are the keys to use now.
func (k *SigningKeys) Current(ctx context.Context) (*signing.Keys, error) { return k.current(ctx) }

// Has reports whether there is a known key for an algorithm.
func (k *SigningKeys) Has(algorithm jose.SignatureAlgorithm) bool {
	keys := k.keys.Load()
	return keys != nil && keys.Has(algorithm)
}

// errOtherIdP is in the chain of the error of keys that have signed for another one's users.
var errOtherIdP = errors.New("this issuer has signed ID tokens for the users of another identity provider")

// CheckIdP reads the keys, and returns an error if they have signed for the users of another
// identity provider. Whatever else is wrong with them, and whatever takes longer than a moment,
// is for the log.
func (k *SigningKeys) CheckIdP(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := k.current(ctx)
		done <- err
	}()
	select {
	case err := <-done:
		if errors.Is(err, errOtherIdP) {
			return err
		}
	case <-ctx.Done():
	}
	return nil
}

// read reads the keys of the issuer, and makes the first one if there are none.
func (k *SigningKeys) read(ctx context.Context) (*signing.Keys, error) {
	files, err := k.files(ctx, signingFolder, ofIssuer(k.issuer), k.create)
	if err != nil {
		return nil, err
	}
	var keys []*signing.Key
	for _, file := range files {
		key, err := signing.Parse(file.content)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s %w: restore it or, if it is lost, delete it", file.name, err)
		case key.IdP != k.idp:
			return nil, fmt.Errorf("%w: public_url %s has been the issuer for %s, and what one provider calls a user (sub) may be somebody else at %s. "+
				"Give this gateway another public_url or, if all users are the same at both, delete the files %s*%s* in Caddy's storage",
				errOtherIdP, k.issuer, key.IdP, k.idp, signingFolder+"/", infixOf(k.issuer))
		}
		keys = append(keys, key)
	}
	return signing.Kept(k.issuer, keys)
}

// create makes the first key. Nodes that start together make one, and not one each, which clients
// of the other could not find.
func (k *SigningKeys) create(ctx context.Context) (string, error) {
	lock := signingFolder + "/" + infixOf(k.issuer)
	if err := k.storage.Lock(ctx, lock); err != nil {
		return "", fmt.Errorf("locking %s: %w", lock, err)
	}
	defer func() { _ = k.storage.Unlock(context.WithoutCancel(ctx), lock) }()
	if found, err := readFiles(ctx, k.storage, signingFolder, ofIssuer(k.issuer)); err != nil || len(found) > 0 {
		return "", err
	}
	return createSigning(ctx, k.storage, k.issuer, k.idp, k.now())
}

func infixOf(issuer string) string {
	sum := sha256.Sum256([]byte(issuer))
	return hex.EncodeToString(sum[:8])
}

// ofIssuer reports the names of an issuer's keys.
func ofIssuer(issuer string) func(string) bool {
	return func(name string) bool { return strings.Contains(name, "-"+infixOf(issuer)+"-") }
}

// createSigning stores a new signing key, and returns its name.
func createSigning(ctx context.Context, storage certmagic.Storage, issuer, idp string, now time.Time) (string, error) {
	key, err := signing.Make(issuer, idp, now)
	if err != nil {
		return "", err
	}
	document, err := key.Marshal()
	if err != nil {
		return "", err
	}
	return createFile(ctx, storage, signingFolder, infixOf(issuer)+"-", now, document)
}

// storedSigning is a signing key in Caddy's storage.
type storedSigning struct {
	file
	key *signing.Key
}

// readSigning reads the signing keys of all issuers in a storage, by the issuer, in the order in
// which they were made.
func readSigning(ctx context.Context, storage certmagic.Storage) (map[string][]storedSigning, error) {
	files, err := readFiles(ctx, storage, signingFolder, anyName)
	if err != nil {
		return nil, err
	}
	byIssuer := make(map[string][]storedSigning)
	for _, file := range files {
		key, err := signing.Parse(file.content)
		if err != nil {
			return nil, fmt.Errorf("%s %w: restore it or, if it is lost, delete it", file.name, err)
		}
		byIssuer[key.Issuer] = append(byIssuer[key.Issuer], storedSigning{file, key})
	}
	return byIssuer, nil
}
