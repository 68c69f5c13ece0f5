package sealing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/certmagic"
	"github.com/spf13/cobra"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/envfile"
	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/internal/terminal"
	"github.com/identity-gateway/caddy-identity-gateway/idp/signing"
)

// Command is rotate-key.
func Command() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rotate-key", Short: "Makes another sealing key, and signing keys, in Caddy's storage", Args: cobra.NoArgs,
		Example: "  caddy identity-gateway rotate-key --config /etc/caddy/Caddyfile --envfile /etc/caddy/gateway.env\n  caddy identity-gateway rotate-key --forget 2160h",
		RunE:    run,
	}
	cmd.Flags().StringP("config", "c", "", "the configuration whose storage has the keys")
	envfile.AddFlags(cmd)
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.Flags().Duration("forget", -1, "make none, and delete the keys that have not sealed for so long")
	cmd.Flags().Lookup("forget").DefValue = "0s" // help shows none
	_ = cmd.RegisterFlagCompletionFunc("forget", cobra.NoFileCompletions)
	return cmd
}

func run(cmd *cobra.Command, _ []string) error {
	config, err := envfile.Config(cmd)
	if err != nil {
		return err
	}
	storage, cleanup, err := configuredStorage(config)
	if err != nil {
		return err
	}
	defer cleanup()
	ctx, cancel := context.WithTimeout(cmd.Context(), keysTimeout)
	defer cancel()
	if forget, _ := cmd.Flags().GetDuration("forget"); forget >= 0 {
		return forgetKeys(ctx, cmd.OutOrStdout(), storage, time.Now(), forget)
	}
	return rotateKey(ctx, cmd.OutOrStdout(), storage, time.Now())
}

// configuredStorage is the storage of a configuration, or Caddy's default one.
func configuredStorage(config []byte) (certmagic.Storage, func(), error) {
	var root struct {
		StorageRaw json.RawMessage `json:"storage,omitempty" caddy:"namespace=caddy.storage inline_key=module"`
	}
	if len(config) > 0 {
		if err := json.Unmarshal(config, &root); err != nil {
			return nil, nil, err
		}
		if err := checkRotates(config); err != nil {
			return nil, nil, err
		}
	}
	if root.StorageRaw == nil {
		return caddy.DefaultStorage, func() {}, nil
	}
	ctx, cancel := caddy.NewContext(caddy.Context{Context: context.Background()})
	module, err := ctx.LoadModule(&root, "StorageRaw")
	if err != nil {
		cancel()
		return nil, nil, fmt.Errorf("loading the storage: %w", err)
	}
	storage, err := module.(caddy.StorageConverter).CertMagicStorage()
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return storage, cancel, nil
}

// checkRotates rejects a configuration whose gateways have their keys from itself.
func checkRotates(config []byte) error {
	var root any
	if err := json.Unmarshal(config, &root); err != nil {
		return err
	}
	configured := false
	for _, gateway := range gatewaysIn(root) {
		if gateway["callback"] == nil {
			continue
		}
		if gateway["sealing_keys"] == nil {
			return nil
		}
		configured = true
	}
	if configured {
		return errors.New("the gateways of this configuration get their keys from sealing_key: make one with openssl rand -base64 32, " +
			"write it after the one that is there at all nodes, then before it; leave the former one for as long as refresh tokens may stay unused")
	}
	return nil
}

// gatewaysIn are the gateways in a part of a configuration, wherever they stand.
func gatewaysIn(node any) []map[string]any {
	var found []map[string]any
	switch node := node.(type) {
	case []any:
		for _, element := range node {
			found = append(found, gatewaysIn(element)...)
		}
	case map[string]any:
		if node["handler"] == "identity_gateway" {
			return []map[string]any{node}
		}
		for _, name := range slices.Sorted(maps.Keys(node)) {
			found = append(found, gatewaysIn(node[name])...)
		}
	}
	return found
}

// rotateKey makes another key in a storage that has some.
func rotateKey(ctx context.Context, out io.Writer, storage certmagic.Storage, now time.Time) error {
	keys, err := readKeys(ctx, storage)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return fmt.Errorf("%s has no keys in %s: name the gateway's configuration by --config, and run this as the gateway's user", terminal.Visible(fmt.Sprint(storage)), keysFolder)
	}
	name, err := createKey(ctx, storage, now)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(out, "Made %s. It seals from %s on; running gateways find it without a reload.\n"+
		"The former keys go on opening logins and refresh tokens. When none of these is left, delete them: rotate-key --forget 2160h\n",
		name, now.Add(keysSettle).UTC().Format(time.RFC3339)); err != nil {
		return err
	}
	return rotateSigning(ctx, out, storage, now)
}

// rotateSigning makes another signing key for each issuer of a storage.
func rotateSigning(ctx context.Context, out io.Writer, storage certmagic.Storage, now time.Time) error {
	issuers, err := readSigning(ctx, storage)
	if err != nil {
		return err
	}
	for _, issuer := range slices.Sorted(maps.Keys(issuers)) {
		keys := issuers[issuer]
		name, err := createSigning(ctx, storage, issuer, keys[len(keys)-1].key.IdP, now)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "Made %s. It signs the ID tokens of %s from %s on, and is published until then, for clients that keep keys for a day.\n",
			name, issuer, now.Add(signing.Ahead).UTC().Format(time.RFC3339)); err != nil {
			return err
		}
	}
	return nil
}

// forgetKeys deletes the sealing keys that have not sealed for a while, and the signing keys that
// have not signed for as long, and are published no more.
func forgetKeys(ctx context.Context, out io.Writer, storage certmagic.Storage, now time.Time, unused time.Duration) error {
	deleted := 0
	forget := func(key file, replaced time.Time, unused time.Duration, loss string) error {
		if now.Sub(replaced) < unused {
			return nil
		}
		if err := storage.Delete(ctx, key.name); err != nil {
			return fmt.Errorf("deleting %s: %w", key.name, err)
		}
		deleted++
		_, err := fmt.Fprintf(out, "Deleted %s: %s.\n", key.name, loss)
		return err
	}
	keys, err := readKeys(ctx, storage)
	if err != nil {
		return err
	}
	for i := range sealer(keys, now) {
		// The key after it began to seal when it was old enough.
		if err := forget(keys[i].file, keys[i+1].made.Add(keysSettle), unused, "refresh tokens that it sealed are over"); err != nil {
			return err
		}
	}
	all := len(keys)
	issuers, err := readSigning(ctx, storage)
	if err != nil {
		return err
	}
	for _, keys := range issuers {
		all += len(keys)
		for i := range keys[:len(keys)-1] {
			// The key after it began to sign when it had been published for long enough.
			replaced := keys[i+1].key.Made.Add(signing.Ahead)
			if err := forget(keys[i].file, replaced, max(unused, signing.Ahead), "ID tokens that it signed tell nobody who logs out"); err != nil {
				return err
			}
		}
	}
	_, err = fmt.Fprintf(out, "%d of %d keys are left.\n", all-deleted, all)
	return err
}
