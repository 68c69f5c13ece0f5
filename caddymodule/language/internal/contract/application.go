package contract

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Application is the program that seeds are said to come from.
type Application struct {
	ID        string `json:"id"`   // any text; a UUID by custom
	Name      string `json:"name"` // one of applicationNames
	Version   string `json:"version"`
	Platform  string `json:"platform"` // one of applicationPlatforms
	Onboarded bool   `json:"onboarded"`
	Privacy   string `json:"privacy"` // one of applicationPrivacies
}

// The closed sets of ApplicationNameEnum, PlatformEnum and PrivacyEnum in the
// published client 4.1.0: typed clients reject other values.
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

// WithDefaults fills in what a leaves out: an open-source server on the web.
func (a Application) WithDefaults() Application {
	a.ID = cmp.Or(a.ID, "caddy-identity-gateway")
	a.Name = cmp.Or(a.Name, "OPEN_SOURCE")
	a.Version = cmp.Or(a.Version, "1.0.0")
	a.Platform = cmp.Or(a.Platform, "WEB")
	a.Privacy = cmp.Or(a.Privacy, "OPEN")
	return a
}

// Validate names the field that a typed client would reject, and what it accepts.
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
		return errors.New("application: id and version must not be empty")
	}
	return nil
}
