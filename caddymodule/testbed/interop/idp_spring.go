package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/testbed/internal/fail"
)

// startSpring compiles the class in the folder spring and runs it with what Maven
// fetches for the pom beside it. A logout there must have an ID token, and public
// clients get no refresh token.
func startSpring(ctx context.Context, e *environment) (_ *runningIdP, err error) {
	defer fail.Catch(&err)
	for _, tool := range []string{"java", "javac", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, fmt.Errorf("%w: Spring Authorization Server needs Java 17 or newer and Maven; there is no %s", ErrUnavailable, tool)
		}
	}
	cache := fail.Must(os.UserCacheDir())
	folder := filepath.Join(e.clients, "..", "spring")
	libraries := filepath.Join(cache, "identity-gateway-interop", "spring")
	inFolder := func(name string, arguments ...string) error {
		command := exec.CommandContext(ctx, name, arguments...)
		command.Dir = folder
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", name, err, tail(string(output), 600))
		}
		return nil
	}
	fail.Check(inFolder("mvn", "--batch-mode", "--quiet", "dependency:copy-dependencies", "-Dmdep.overWriteReleases=false", "-DoutputDirectory="+libraries))
	classes := filepath.Join(e.dir, "spring")
	all := filepath.Join(libraries, "*")
	fail.Check(inFolder("javac", "-parameters", "-d", classes, "-cp", all, "Application.java"))
	clients := fail.Must(json.Marshal(e.clientsAtIdP("native", "spa")))
	address := fmt.Sprintf("https://localhost:%d", e.idpPort)
	err = startProcess(ctx, e, []string{"CLIENTS=" + string(clients)}, address+"/oauth2/jwks", 2*time.Minute, e.authority.transport(),
		"java", "-Xmx384m", "-cp", classes+string(os.PathListSeparator)+all, "interop.Application",
		fmt.Sprintf("--server.port=%d", e.idpPort), "--server.address=localhost",
		"--server.ssl.certificate="+e.authority.certFile, "--server.ssl.certificate-private-key="+e.authority.keyFile,
		"--spring.security.oauth2.authorizationserver.issuer="+address,
		"--spring.security.user.name=ada", "--spring.security.user.password=lovelace")
	if err != nil {
		return nil, err
	}
	return &runningIdP{
		issuer: address, jwksURI: address + "/oauth2/jwks", authURL: address,
		gateway:  "discover\nparameters oauth" + trustCertificate(e),
		clientID: "native", spaID: "spa",
		scope: "openid profile email offline_access", username: "ada", password: "lovelace",
		hints: true, publicLacks: []string{"refresh"},
	}, nil
}
