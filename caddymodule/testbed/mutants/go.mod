module github.com/identity-gateway/caddy-identity-gateway/idp/mutants

go 1.26.0
