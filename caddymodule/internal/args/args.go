// Package args reads what operators configure: the arguments and blocks of a
// Caddyfile, the placeholders in values, the limits in a JSON configuration, and the
// paths that a directive's matcher lets through.
// All directives of this module use it, so that all report mistakes alike.
//
// A directive lists its subdirectives as [Options] and reads them with [Block]:
//
//	d.Next() // consume the directive's name
//	if err := args.None(d); err != nil {
//		return err
//	}
//	return args.Block(d, "greeting", args.Options{
//		"text":     args.String(&g.Text),
//		"max_size": args.Size(&g.MaxSize),
//		"tone":     args.OneOf(&g.Tone, "polite", "plain"),
//		"name":     args.Strings(&g.Names),
//	})
//
// # Files
//
//	args.go: kinds of options: texts, words, sizes, durations
//	block.go: blocks; the option that was meant
//	moved.go: what to write instead of an option that went
//	slips.go: values that were to be replaced, and placeholders without braces
//	claims.go: claims with their values
//	handler.go: directives, and matchers that keep their path from them
//	matcher.go: which paths a matcher lets through
//	provision.go: placeholders and bounds of a configuration in JSON
//	segment.go: in which file and line an error is
package args

import (
	"slices"
	"strconv"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/dustin/go-humanize"
)

// maxSize bounds [Size], in bytes: 1 TiB.
const maxSize = 1 << 40

// None makes sure that no argument follows what d stands on.
func None(d *caddyfile.Dispenser) error {
	after := d.Val()
	if d.NextArg() {
		return d.Errf("unexpected argument %q after %s", d.Val(), after)
	}
	return nil
}

// unset is what a missing argument most often is: {$NAME} of a variable that is not set.
const unset = "; if it comes from an environment variable, set that"

// One reads the only argument of the directive or subdirective that d stands on.
func One(d *caddyfile.Dispenser) (string, error) {
	name := d.Val()
	if !d.NextArg() {
		return "", d.Errf("%s needs an argument%s", name, unset)
	}
	value := d.Val()
	return value, None(d)
}

// Unquoted takes the values that follow name, which may be secrets, so that errors do not quote
// them: one for each target, of which only the first is required. There are one or two targets.
func Unquoted(d *caddyfile.Dispenser, name string, values []string, targets ...*string) error {
	switch {
	case len(values) == 0:
		return d.Errf("%s needs an argument%s", name, unset)
	case len(values) > len(targets):
		return d.Errf("%s needs %s, not %d", name, [...]string{"one argument", "one argument or two"}[len(targets)-1], len(values))
	}
	for i, value := range values {
		*targets[i] = value
	}
	return nil
}

// List reads the arguments that follow what d stands on. Commas between them are an
// error: an address or scope would have one in its name, and nothing be equal to it.
// One that belongs to a value is in quotes.
func List(d *caddyfile.Dispenser) ([]string, error) {
	name := d.Val()
	var values []string
	for d.NextArg() {
		if strings.Contains(d.Val(), ",") && !d.Token().Quoted() { // it may be a secret, and is not quoted
			return nil, d.Errf("%s: %s; one that belongs to a value is in quotes: %s \"…,…\"", name, noCommas, name)
		}
		values = append(values, d.Val())
	}
	return values, nil
}

const noCommas = "separate values with spaces, not commas"

// NotOneOf is the error for a value of what is named that is none of words. The value is quoted: it
// can't be a secret.
func NotOneOf[S ~string](d *caddyfile.Dispenser, name, value string, words []S) error {
	return d.Errf("%s must be %s, not %q%s", name, either(words), value, Suggest(value, words))
}

// Option is a subdirective that [Block] can read.
type Option struct {
	read       func(*caddyfile.Dispenser) error
	repeatable bool
}

// Once is a subdirective that read reads. The dispenser stands on its name. To
// give it twice is an error.
func Once(read func(*caddyfile.Dispenser) error) Option {
	return Option{read: read}
}

// Repeatable is [Once] for a subdirective that may be given several times.
func Repeatable(read func(*caddyfile.Dispenser) error) Option {
	return Option{read: read, repeatable: true}
}

// String is a subdirective with one argument.
func String(target *string) Option {
	return Once(func(d *caddyfile.Dispenser) (err error) {
		*target, err = One(d)
		return err
	})
}

// Strings is a subdirective with one argument or more. It may be given several
// times; the arguments are appended to target. Each must pass the checks, or have a
// placeholder, which is resolved when the configuration is loaded.
func Strings(target *[]string, checks ...func(string) error) Option {
	return Repeatable(func(d *caddyfile.Dispenser) error {
		name := d.Val()
		values, err := List(d)
		if err != nil {
			return err
		}
		if len(values) == 0 {
			return d.Errf("%s needs at least one argument%s", name, unset)
		}
		for _, value := range values {
			if HasPlaceholder(value) {
				continue
			}
			for _, check := range checks {
				if err := check(value); err != nil {
					return d.WrapErr(err)
				}
			}
		}
		*target = append(*target, values...)
		return nil
	})
}

// OneOf is a subdirective with one argument, which must be one of words.
func OneOf[S ~string](target *S, words ...S) Option {
	return Once(func(d *caddyfile.Dispenser) error {
		name := d.Val()
		value, err := One(d)
		if err != nil {
			return err
		}
		if !slices.Contains(words, S(value)) {
			return NotOneOf(d, name, value, words)
		}
		*target = S(value)
		return nil
	})
}

// Flag is a subdirective without arguments. It sets target to true.
func Flag(target *bool) Option {
	return Once(func(d *caddyfile.Dispenser) error {
		*target = true
		return None(d)
	})
}

// Size is a subdirective with a size such as 64KiB or 2MB, from 1 byte to 1 TiB.
// Target is in bytes.
func Size(target *int64) Option {
	return parsed(target, "a size such as 64KiB or 2MB", func(value string) (int64, bool) {
		size, err := humanize.ParseBytes(value)
		return int64(size), err == nil && size > 0 && size <= maxSize
	})
}

// Duration is a subdirective with a positive duration such as 30s, 15m or 2d.
func Duration(target *caddy.Duration) Option {
	return parsed(target, "a positive duration such as 30s or 15m", func(value string) (caddy.Duration, bool) {
		duration, err := caddy.ParseDuration(value)
		return caddy.Duration(duration), err == nil && duration > 0
	})
}

// Count is a subdirective with a positive whole number of the things named.
func Count(target *int, things string) Option {
	return parsed(target, "a whole number of "+things+", at least 1", func(value string) (int, bool) {
		count, err := strconv.Atoi(value)
		return count, err == nil && count > 0
	})
}

// parsed is a subdirective with one argument that parse turns into a T, or
// reports not to be what is expected.
func parsed[T any](target *T, expected string, parse func(string) (T, bool)) Option {
	return Once(func(d *caddyfile.Dispenser) error {
		name := d.Val()
		value, err := One(d)
		if err != nil {
			return err
		}
		result, ok := parse(value)
		if !ok {
			return d.Errf("%s must be %s, not %q", name, expected, value)
		}
		*target = result
		return nil
	})
}

// either lists words as a choice: "a, b or c".
func either[S ~string](words []S) string {
	list := string(words[0])
	for i, word := range words[1:] {
		separator := ", "
		if i == len(words)-2 {
			separator = " or "
		}
		list += separator + string(word)
	}
	return list
}
