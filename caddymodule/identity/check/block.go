package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/identity-gateway/caddy-identity-gateway/idp"
	"github.com/identity-gateway/caddy-identity-gateway/idp/discovery"
)

// Block is a Caddyfile for an IdP with this metadata.
func Block(issuer string, m *discovery.Metadata) string {
	idpClient := "\t\t\tidp_client {env.CLIENT_ID} {\n\t\t\t\tsecret {env.CLIENT_SECRET}\n\t\t\t}\n"
	takes := func(method string) bool {
		return len(m.TokenEndpointAuthMethods) == 0 && method == idp.AuthSecretBasic || slices.Contains(m.TokenEndpointAuthMethods, method)
	}
	if !takes(idp.AuthSecretBasic) && !takes(idp.AuthSecretPost) {
		idpClient = ""
		if takes(idp.AuthPrivateKeyJWT) {
			idpClient = "\t\t\tidp_client {env.CLIENT_ID} {\n\t\t\t\tprivate_key_jwt {env.CLIENT_KEY_FILE}\n\t\t\t}\n"
		}
	}
	var b strings.Builder
	b.WriteString("login.example.com {\n")
	fmt.Fprintf(&b, "\tidentity_gateway %s {\n", issuer)
	b.WriteString("\t\tdiscover\n\t\tparameters oauth\n\t\tcallback # register https://login.example.com/oauth/callback at the identity provider\n")
	b.WriteString("\t\tclient {env.CLIENT_ID} {\n\t\t\tredirect_uri https://app.example.com/callback\n\t\t\treturn_to https://app.example.com/\n")
	b.WriteString(idpClient)
	b.WriteString("\t\t}\n\t}\n}\n")
	return b.String()
}
