package openapi_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clientModels is where npm ci puts the types of the published client.
const clientModels = "../testbed/interop/clients/node_modules/@pieces.app/pieces-os-client/dist/models"

// clientTypes are the names of the document's types in the published client.
var clientTypes = map[string]string{
	"EmbeddedModelSchema": "EmbeddedModelSchema", "ResultedPKCE": "ResultedPKCE", "OAuthToken": "OAuthToken",
	"IdpUser": "Auth0User", "IdpIdentity": "Auth0Identity",
	"UnsegmentedTechnicalLanguage": "UnsegmentedTechnicalLanguage", "SegmentedTechnicalLanguage": "SegmentedTechnicalLanguage",
	"SegmentedTechnicalLanguageFragment": "SegmentedTechnicalLanguageFragment", "FragmentFormat": "FragmentFormat",
	"TransferableString": "TransferableString", "FragmentMetadata": "FragmentMetadata",
	"PreonboardedPersonaDetails": "PreonboardedPersonaDetails", "OnboardedPersonaDetails": "OnboardedPersonaDetails",
	"Seeds": "Seeds", "Seed": "Seed", "SeededAsset": "SeededAsset", "SeededFormat": "SeededFormat",
	"Classification": "SeededClassification", "SeededAssetMetadata": "SeededAssetMetadata",
	"Tag": "SeededAssetTag", "Website": "SeededAssetWebsite", "Annotation": "SeededAnnotation", "Application": "Application",
}

// What the client's types require and an identity provider may leave out (RFC 6749
// section 5.1).
var optional = []string{"OAuthToken.expires_in"}

// What the client does not know: requests have to ask for it, or OpenID Connect has it.
var additional = []string{"SegmentedTechnicalLanguageFragment.language", "OnboardedPersonaDetails.notes", "IdpUser.sub"}

var (
	property = regexp.MustCompile(`(?m)^ +'\w+': .*?json\['(\w+)'\]( == null \? undefined)?`)
	value    = regexp.MustCompile(`(?m)^    \w+: '([^']+)',?$`)
)

func readModel(t *testing.T, name string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(clientModels, name+".js"))
	if os.IsNotExist(err) {
		t.Skip("the published client is not installed: npm ci --prefix caddymodule/testbed/interop/clients")
	}
	require.NoError(t, err)
	return string(source)
}

// A typed client reads every property that the document has, and finds every one
// that it requires.
func TestTheTypesAreThoseOfThePublishedClient(t *testing.T) {
	schemas := load(t).Components.Schemas
	for ours, theirs := range clientTypes {
		source := readModel(t, theirs)
		known := make(map[string]bool)
		for _, match := range property.FindAllStringSubmatch(source, -1) {
			name, isOptional := match[1], match[2] != ""
			known[name] = true
			if !isOptional && !slices.Contains(optional, ours+"."+name) {
				assert.Contains(t, schemas[ours].Value.Required, name, "%s requires it", theirs)
			}
		}
		require.NotEmpty(t, known, theirs)
		for name := range schemas[ours].Value.Properties {
			assert.True(t, known[name] || slices.Contains(additional, ours+"."+name), "%s has no property %s", theirs, name)
		}
	}
}

func TestTheSetsAreThoseOfThePublishedClient(t *testing.T) {
	schemas := load(t).Components.Schemas
	application := schemas["Application"].Value.Properties
	for theirs, ours := range map[string][]any{
		"ClassificationSpecificEnum":             schemas["ClassificationSpecific"].Value.Enum,
		"EmbeddedModelSchemaSemanticVersionEnum": schemas["EmbeddedModelSchema"].Value.Properties["semantic"].Value.Enum,
		"ApplicationNameEnum":                    application["name"].Value.Enum,
		"PlatformEnum":                           application["platform"].Value.Enum,
		"PrivacyEnum":                            application["privacy"].Value.Enum,
	} {
		var values []any
		for _, match := range value.FindAllStringSubmatch(readModel(t, theirs), -1) {
			values = append(values, match[1])
		}
		require.NotEmpty(t, values)
		assert.ElementsMatch(t, values, ours, theirs)
	}
}
