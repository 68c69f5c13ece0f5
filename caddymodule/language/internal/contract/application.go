package contract

// Application is the program that seeds are said to come from.
type Application struct {
	ID        string `json:"id"` // any text; a UUID by custom
	Name      string `json:"name"`
	Version   string `json:"version"`
	Platform  string `json:"platform"`
	Onboarded bool   `json:"onboarded"`
	Privacy   string `json:"privacy"`
}

// thisApplication is an open-source server on the web. The last three are of the closed
// sets of ApplicationNameEnum, PlatformEnum and PrivacyEnum in the published client
// 4.1.0: typed clients reject other values.
var thisApplication = Application{ID: "caddy-identity-gateway", Version: "1.0.0", Name: "OPEN_SOURCE", Platform: "WEB", Privacy: "OPEN"}
