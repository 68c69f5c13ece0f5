module github.com/identity-gateway/caddy-identity-gateway/idp/differential

go 1.26.0

require (
	github.com/identity-gateway/caddy-identity-gateway v0.0.0
	github.com/nlnwa/whatwg-url v0.6.2
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/bits-and-blooms/bitset v1.25.0 // indirect
	github.com/go-jose/go-jose/v4 v4.1.6 // indirect
	github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)

replace github.com/identity-gateway/caddy-identity-gateway => ../..
