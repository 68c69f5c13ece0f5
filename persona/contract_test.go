package persona

import (
	"os"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/segment/wire"
)

// The interface's types, written from the contract and not from our encoder.
type (
	onboardedPersonaDetails struct {
		Schema *wire.EmbeddedModelSchema `json:"schema,omitzero"`
		Seeds  struct {
			Iterable []contractSeed `json:"iterable"`
		} `json:"seeds"`
	}
	contractSeed struct {
		Type  string        `json:"type"`
		Asset contractAsset `json:"asset"`
	}
	contractAsset struct {
		Application contractApplication `json:"application"`
		Format      struct {
			Fragment       wire.FragmentFormat `json:"fragment"`
			Classification struct {
				Generic  wire.Generic                `json:"generic"`
				Specific wire.ClassificationSpecific `json:"specific"`
			} `json:"classification"`
		} `json:"format"`
		Metadata struct {
			Name string `json:"name"`
			Tags []struct {
				Text string `json:"text"`
			} `json:"tags"`
			Websites []struct {
				URL  string `json:"url"`
				Name string `json:"name"`
			} `json:"websites,omitzero"`
			Annotations []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"annotations"`
		} `json:"metadata"`
		Demo bool `json:"demo"`
	}
	contractApplication struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		Version   string `json:"version"`
		Platform  string `json:"platform"`
		Onboarded bool   `json:"onboarded"`
		Privacy   string `json:"privacy"`
	}
)

// requireContract decodes an answer strictly: no field but the contract's.
func requireContract(t *testing.T, answer []byte) onboardedPersonaDetails {
	t.Helper()
	var details onboardedPersonaDetails
	require.NoError(t, json.Unmarshal(answer, &details, json.RejectUnknownMembers(true)), "%s", answer)
	require.NotNil(t, details.Seeds.Iterable, "a list, even if it is empty")
	return details
}

func TestTheAnswerIsTheContractsOnboardedPersonaDetails(t *testing.T) {
	s, err := Default().Generate(Request{Languages: []string{"Go"}, Personas: []string{"SRE"}}, 4)
	require.NoError(t, err)
	require.Len(t, s.Seeds, 4)
	application := Application{ID: "a \"quoted\" id", Name: "OS_SERVER", Version: "2", Platform: "LINUX", Onboarded: true, Privacy: "CLOSED"}
	details := requireContract(t, s.AppendJSON([]byte{}, application))
	require.Nil(t, details.Schema)
	require.Len(t, details.Seeds.Iterable, 4)
	for i, seed := range details.Seeds.Iterable {
		want := s.Seeds[i]
		require.Equal(t, "SEEDED_ASSET", seed.Type)
		require.Equal(t, contractApplication(application), seed.Asset.Application)
		require.Equal(t, want.Code, seed.Asset.Format.Fragment.String.Raw)
		require.Equal(t, wire.ClassificationSpecific("go"), seed.Asset.Format.Fragment.Metadata.Ext)
		require.Equal(t, wire.Code, seed.Asset.Format.Classification.Generic)
		require.Equal(t, wire.ClassificationSpecific("go"), seed.Asset.Format.Classification.Specific)
		require.Equal(t, want.Task.Title+" (Go)", seed.Asset.Metadata.Name)
		require.Equal(t, want.Doc.URL, seed.Asset.Metadata.Websites[0].URL)
		require.Equal(t, "DESCRIPTION", seed.Asset.Metadata.Annotations[0].Type)
		require.Equal(t, want.Task.Description, seed.Asset.Metadata.Annotations[0].Text)
		require.Equal(t, "EXPLANATION", seed.Asset.Metadata.Annotations[1].Type)
		require.Equal(t, want.Why(), seed.Asset.Metadata.Annotations[1].Text)
		require.NotEmpty(t, seed.Asset.Metadata.Tags)
		require.True(t, seed.Asset.Demo)
	}
}

func TestAnEmptySelectionIsAnEmptyList(t *testing.T) {
	require.Equal(t, `{"seeds":{"iterable":[]}}`, string(Selection{}.AppendJSON(nil, DefaultApplication())))
}

func TestApplicationFieldsAreHeldToTheInterface(t *testing.T) {
	require.NoError(t, DefaultApplication().Validate())
	for want, change := range map[string]func(*Application){
		`application name "Web": expected one of UNKNOWN, SUBLIME`:  func(a *Application) { a.Name = "Web" },
		`application platform "web": expected one of UNKNOWN, WEB,`: func(a *Application) { a.Platform = "web" },
		`application privacy "": expected one of UNKNOWN, OPEN`:     func(a *Application) { a.Privacy = "" },
		`application: id and version must not be empty`:             func(a *Application) { a.Version = "" },
	} {
		a := DefaultApplication()
		change(&a)
		require.ErrorContains(t, a.Validate(), want)
	}
}

func TestEveryLanguageHasAWireValue(t *testing.T) {
	require.NoError(t, Default().CheckExt(func(ext string) bool { return wire.ClassificationSpecific(ext).Valid() }))
}

// golden compares with a file of testdata; UPDATE=1 writes it instead.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := "testdata/" + name
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s differs: read the change, then UPDATE=1 go test ./persona", file)
}
