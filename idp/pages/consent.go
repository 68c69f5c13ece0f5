package pages

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // of the script
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/identity-gateway/caddy-identity-gateway/idp/internal/header"
	"github.com/identity-gateway/caddy-identity-gateway/idp/uris"
)

// Pause is how long the consent page has to be in front and still before Allow can be chosen:
// longer than a slow double click, 1.5 s.
const Pause = 2 * time.Second

// Question is what a user is asked to allow.
type Question struct {
	// Name is what the client calls itself. Unverified: nobody answers for it. Host is that of
	// the metadata document in which a client that the gateway had never seen does so.
	Name, Host string
	Unverified bool
	// IdP is the host where the user logs in, RedirectURI where he is sent afterwards.
	IdP, RedirectURI string
	// Scopes and Audiences are what is asked for, More whatever else is, and Others what else
	// the IdP is told.
	Scopes, Audiences []string
	More, Others      []Field
	// Transaction is what the form sends back.
	Transaction string
	// PopUp: the page of a browser app may have opened this one, and waits for it.
	PopUp bool
}

// view is what the template shows of it, with nothing that is not seen.
type view struct {
	Question
	*locale

	// Target is where the redirect URI leads, Kind the end of the key that says what that is,
	// if it is not the web.
	Target, Kind string
	Scopes       []scope
}

// scope is one with the key of what it means, "" if the gateway does not know.
type scope struct{ Name, Meaning string }

// Pause is [Pause] in milliseconds.
func (v *view) Pause() int64 { return Pause.Milliseconds() }

// Count is the number of entries that the page lists.
func (v *view) Count() int {
	return max(len(v.Scopes), 1) + len(v.Audiences) + len(v.More) + len(v.Others)
}

// IsLong reports whether a list has to scroll, so that the buttons stay in sight.
func (v *view) IsLong() bool { return v.Count() > 4 }

//go:embed consent.js
var script template.JS

// scriptSource is what stands for script in a Content-Security-Policy.
var scriptSource = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
})

// Consent asks the user. The page can't be framed, and is alone in its group of windows, unless
// PopUp is set. There is no form-action: browsers hold it against the redirects that follow,
// which lead to the IdP and wherever that sends people.
func (t *Theme) Consent(accept []string, q Question) Page {
	v := view{Question: q, locale: localeFor(accept)}
	v.Target, v.Kind = describe(q.RedirectURI)
	v.Name, v.Target, v.Audiences = showInvisible(v.Name), showInvisible(v.Target), nil
	if v.Host != "" || v.Unverified {
		v.Name = quotable(v.Name)
	}
	for _, audience := range q.Audiences {
		v.Audiences = append(v.Audiences, showInvisible(audience))
	}
	for _, name := range q.Scopes {
		v.Scopes = append(v.Scopes, scope{showInvisible(name), meaning(name)})
	}
	v.More, v.Others = shown(q.More), shown(q.Others)
	page := t.page(http.StatusOK, &document{locale: v.locale, Page: "consent", Title: v.title, Script: script}, &v)
	page.Header.Set("X-Frame-Options", "DENY")
	header.SetReferrer(page.Header, header.SameReferrer)    // with no-referrer a form's Origin is null
	page.Header.Set("Document-Policy", "force-load-at-top") // a fragment would scroll to the buttons in a small window
	if !q.PopUp {
		// The page of a browser app that opened this one in a pop-up would lose it, also
		// when it leads back to the app. It also keeps the page out of pop-ups that a
		// sandbox without scripts has opened. With PopUp, Allow waits for the script there.
		page.Header.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	return page
}

// title names whoever asks, as far as is known.
func (v *view) title() (template.HTML, error) {
	if app := cmp.Or(v.Host, v.Name); app != "" {
		return v.Say("title", "app", app)
	}
	return v.Say("title_unnamed")
}

func shown(fields []Field) []Field {
	var all []Field
	for _, f := range fields {
		all = append(all, Field{f.Name, showInvisible(f.Value)})
	}
	return all
}

// meaning is the key of what a scope of OpenID Connect Core 1.0 (sections 3.1.2.1, 5.4 and 11)
// asks for, "" for any other one.
func meaning(scope string) string {
	switch scope {
	case "openid", "profile", "email", "address", "phone", "offline_access":
		return "may_" + scope
	}
	return ""
}

// showInvisible replaces characters that are not seen, or that change the order in
// which others are, by their code points, as in "[U+202E]". Joiners and variation
// selectors stay where they belong: after what is no ASCII.
func showInvisible(text string) string {
	var b strings.Builder
	ascii := true
	for _, r := range text {
		switch {
		case !ascii && (r == 0x200C || r == 0x200D || r == 0xFE0E || r == 0xFE0F),
			unicode.IsPrint(r) && r != 0x2800 && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "[U+%04X]", r)
		}
		ascii = r < 0x80
	}
	return b.String()
}

// quotable is a name that somebody has given himself, without what could be read as the end of
// the quotation in which a page of any language has it: of marks that stand together one apostrophe
// is left.
func quotable(name string) string {
	const alike = "\"“”„‟‘’‚‛«»‹›＂＇⹂〝〞〟`´ʹʺʻʼʽʾʿˈˊˋ˝ˮ˵˶՚՛՝᾽᾿`´῾′″‴‵‶‷⁗❛❜❝❞❟❠〃「」『』｢｣﹁﹂﹃﹄"
	var b strings.Builder
	last := rune(0)
	for _, r := range name {
		if strings.ContainsRune(alike, r) {
			r = '\''
		}
		if r != '\'' || last != r {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// describe says where a redirect URI leads, and which of the texts that begin with "sent_to" does.
func describe(redirectURI string) (target, kind string) {
	u, err := url.Parse(redirectURI)
	switch {
	case err != nil:
		return redirectURI, ""
	case uris.IsLoopbackRedirect(redirectURI):
		return u.Host, "_program"
	case uris.IsPrivateScheme(redirectURI):
		return u.Scheme, "_app"
	}
	return u.Host, ""
}
