package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/identity-gateway/caddy-identity-gateway/caddymodule/language/internal/contract"
)

func TestApplicationFieldsAreHeldToTheContract(t *testing.T) {
	require.NoError(t, contract.Application{}.WithDefaults().Validate())
	require.Equal(t, application, application.WithDefaults(), "what is given stays")
	for want, change := range map[string]func(*contract.Application){
		`application name "Web": expected one of UNKNOWN, SUBLIME`:  func(a *contract.Application) { a.Name = "Web" },
		`application platform "web": expected one of UNKNOWN, WEB,`: func(a *contract.Application) { a.Platform = "web" },
		`application privacy "": expected one of UNKNOWN, OPEN`:     func(a *contract.Application) { a.Privacy = "" },
		`application: id and version must not be empty`:             func(a *contract.Application) { a.Version = "" },
	} {
		a := application
		change(&a)
		require.ErrorContains(t, a.Validate(), want)
	}
}
