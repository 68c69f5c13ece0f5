module github.com/identity-gateway/caddy-identity-gateway/segment/train

go 1.26.0

require (
	github.com/go-enry/go-enry/v2 v2.9.6
	github.com/identity-gateway/caddy-identity-gateway v0.0.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/sys v0.48.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/go-enry/go-oniguruma v1.2.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/identity-gateway/caddy-identity-gateway => ../..
