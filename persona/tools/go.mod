module github.com/identity-gateway/caddy-identity-gateway/persona/tools

go 1.26.0

replace github.com/identity-gateway/caddy-identity-gateway => ../..

require (
	github.com/identity-gateway/caddy-identity-gateway v0.0.0
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/stretchr/testify v1.12.1
)

require (
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/text v0.42.0 // indirect
)
