package persona

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Application is the interface's Application: the program that the seeds are
// said to come from.
type Application struct {
	ID        string // any text; a UUID by custom
	Name      string // one of the interface's application names
	Version   string
	Platform  string // one of the interface's platforms
	Onboarded bool
	Privacy   string // OPEN, CLOSED or ANONYMOUS
}

// DefaultApplication returns what a seed's application block says unless it is
// configured: an open-source server on the web.
func DefaultApplication() Application {
	return Application{
		ID:       "caddy-identity-gateway",
		Name:     "OPEN_SOURCE",
		Version:  "1.0.0",
		Platform: "WEB",
		Privacy:  "OPEN",
	}
}

// The interface's closed sets (ApplicationNameEnum, PlatformEnum and PrivacyEnum
// of the published client 4.1.0): typed clients reject other values.
const (
	applicationNames = "UNKNOWN SUBLIME VS_CODE JETBRAINS FIREFOX_ADDON_MV2 FIREFOX_ADDON_MV3 SAFARI_EXTENSION_MV2 " +
		"SAFARI_EXTENSION_MV3 PIECES_FOR_DEVELOPERS PIECES_FOR_DEVELOPERS_CLI OS_SERVER GOOGLE_CHROME_EXTENSION_MV2 " +
		"GOOGLE_CHROME_EXTENSION_MV3 ULTRA_EDIT ATOM_PACKAGE ADOBE_ILLUSTRATOR_PIECES_COLOR_SHARE MICROSOFT_TEAMS " +
		"CHAT_GPT OBSIDIAN JUPYTER_HUB VISUAL_STUDIO MICROSOFT_EDGE BRAVE GOOGLE_CHAT SLACK AZURE_DATA_STUDIO " +
		"OPEN_SOURCE R_STUDIO VIM NOTION GITHUB_DESKTOP RAYCAST REPLIT ALFRED FIGMA SKETCH ADOBE_ILLUSTRATOR " +
		"NOTEPAD_PLUS_PLUS EMBEETLE ECLIPSE X_CODE NETBEANS OPERA"
	applicationPlatforms = "UNKNOWN WEB MACOS LINUX WINDOWS FUCHSIA IOS ANDROID"
	applicationPrivacies = "UNKNOWN OPEN CLOSED ANONYMOUS"
)

// Validate tells which field a typed client would reject, and what it accepts.
func (a Application) Validate() error {
	for _, field := range []struct{ name, value, accepted string }{
		{"name", a.Name, applicationNames},
		{"platform", a.Platform, applicationPlatforms},
		{"privacy", a.Privacy, applicationPrivacies},
	} {
		if accepted := strings.Fields(field.accepted); !slices.Contains(accepted, field.value) {
			return fmt.Errorf("application %s %q: expected one of %s", field.name, field.value, strings.Join(accepted, ", "))
		}
	}
	if a.ID == "" || a.Version == "" {
		return fmt.Errorf("application: id and version must not be empty")
	}
	return nil
}

func (a Application) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"id":`...)
	dst = appendQuoted(dst, a.ID)
	dst = append(dst, `,"name":`...)
	dst = appendQuoted(dst, a.Name)
	dst = append(dst, `,"version":`...)
	dst = appendQuoted(dst, a.Version)
	dst = append(dst, `,"platform":`...)
	dst = appendQuoted(dst, a.Platform)
	dst = append(dst, `,"onboarded":`...)
	if a.Onboarded {
		dst = append(dst, "true"...)
	} else {
		dst = append(dst, "false"...)
	}
	dst = append(dst, `,"privacy":`...)
	dst = appendQuoted(dst, a.Privacy)
	return append(dst, '}')
}

// appendQuoted appends a JSON string; what is not UTF-8 becomes U+FFFD.
func appendQuoted(dst []byte, text string) []byte {
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}
