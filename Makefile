# `make` alone lists the targets.

GO       ?= go
MODULE   := github.com/identity-gateway/caddy-identity-gateway
CADDY_MODULE := github.com/caddyserver/caddy/v2
CADDY     = $(shell $(GO) list -m -f '{{.Version}}' $(CADDY_MODULE))
CORPUS   ?= $(abspath ../shared/corpus)
ADDRESS  ?= http://localhost:1000
FUZZTIME ?= 10m
CLIENTS  := caddymodule/testdata/clients

export CORPUS

.DEFAULT_GOAL := help
.PHONY: help run demo test build matrix eval peers train verify-snippets lint-catalogue fuzz bench-language

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: bin/gateway ## Run the gateway with the development identity provider
	@(sleep 2; sed 's|@@|$(ADDRESS)|g' caddymodule/devidp/hints.txt) & \
	GATEWAY_ADDRESS=$(ADDRESS) exec ./bin/gateway run --config caddymodule/devidp/Caddyfile --adapter caddyfile

demo: ## Log in through the running gateway and segment a message
	@$(GO) run ./caddymodule/cmd/demo -gateway $(ADDRESS)

test: $(CLIENTS)/node_modules ## Run every test with the race detector
	$(GO) vet ./...
	$(GO) test -race -timeout 20m ./...

# xcaddy asks the module proxy for this module too, and not every proxy answers
# that as it wants. So its modules are fetched first, in the way it will ask for
# them, and then the module cache stands in for the proxy.
build: ## Build the production Caddy with xcaddy into bin/caddy
	rm -rf .cache/xcaddy && mkdir -p .cache/xcaddy
	cd .cache/xcaddy && printf 'package main\n\nimport _ "%s"\n' $(CADDY_MODULE)/modules/standard > main.go \
		&& $(GO) mod init caddy && $(GO) get $(CADDY_MODULE)@$(CADDY) \
		&& printf '\nimport _ "%s"\n' $(MODULE)/caddymodule >> main.go \
		&& $(GO) mod edit -replace $(MODULE)=../.. -require $(MODULE)@v0.0.0 && $(GO) mod tidy
	$(GO) build -o bin/xcaddy github.com/caddyserver/xcaddy/cmd/xcaddy
	GOPROXY=file://$$($(GO) env GOMODCACHE)/cache/download GOSUMDB=off GOFLAGS=-mod=mod \
	bin/xcaddy build $(CADDY) --output bin/caddy \
		--with $(MODULE)/caddymodule --replace $(MODULE)=.

.PHONY: bin/gateway
bin/gateway:
	@echo "Building the gateway (the first time takes some minutes) ..."
	@$(GO) build -o $@ ./caddymodule/cmd/gateway

bench-language: ## Compare the language endpoints with a static response plus the library call
	$(GO) run ./caddymodule/cmd/bench-language

# The published clients that the tests drive; without Node their tests skip.
$(CLIENTS)/node_modules: $(CLIENTS)/package-lock.json
	@if command -v npm >/dev/null; then npm ci --no-audit --no-fund --prefix $(CLIENTS) && touch $@; \
	else echo "npm is missing: the tests with the published JavaScript clients will skip"; fi
