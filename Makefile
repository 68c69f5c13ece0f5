# `make` alone lists the targets.

GO       ?= go
MODULE   := github.com/identity-gateway/caddy-identity-gateway
CADDY_MODULE := github.com/caddyserver/caddy/v2
CADDY     = $(shell $(GO) list -m -f '{{.Version}}' $(CADDY_MODULE))
ADDRESS  ?= http://localhost:1000
FUZZTIME ?= 10m
FUZZED   ?= idp segment persona
CLIENTS  := caddymodule/interop/clients

# Modules of their own: training, interoperability tests. Plugin users download none of them.
NESTED    = $(patsubst ./%/go.mod,%,$(shell find . -mindepth 2 -name go.mod -not -path '*/node_modules/*' -not -path './.cache/*'))

.DEFAULT_GOAL := help
.PHONY: help run demo test build interop eval train peers verify-snippets lint-catalogue bench-identity bench-segment bench-language fuzz

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: bin/gateway ## Run the gateway with the development identity provider
	@(sleep 2; sed 's|@@|$(ADDRESS)|g' caddymodule/devidp/hints.txt) & \
	GATEWAY_ADDRESS=$(ADDRESS) exec ./bin/gateway run --config caddymodule/devidp/Caddyfile --adapter caddyfile

demo: ## Log in through the running gateway and segment a message
	@$(GO) run ./caddymodule/cmd/demo -gateway $(ADDRESS)

test: $(CLIENTS)/node_modules ## Run every test with the race detector
	@for module in . $(NESTED); do \
		echo "$(GO) -C $$module test -race ./..." && $(GO) -C $$module vet ./... && $(GO) -C $$module test -race -timeout 20m ./... || exit 1; \
	done

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

interop: $(CLIENTS)/node_modules ## Log published clients in at published identity providers through the gateway
	$(GO) -C caddymodule/interop run .

eval: ## Print the accuracy of segmentation and classification on the dev data (needs the corpus)
	$(GO) -C segment/train run ./cmd/eval

train: ## Train both models anew from the corpus
	$(GO) generate ./segment/internal/linetag ./segment/internal/langid

peers: ## Compare the classifier with others on the same snippets (needs the corpus, Node and Python)
	cd segment/train/baselines && npm ci --no-audit --no-fund && python3 -m venv .venv \
		&& .venv/bin/pip install --quiet -r requirements.txt && $(GO) run .

verify-snippets: ## Run every snippet of the catalogue through its language's own tools
	persona/internal/verify/install.sh
	$(GO) run ./persona/internal/verify

lint-catalogue: ## Check your own catalogue: make lint-catalogue CATALOGUE=<folder>
	@$(GO) run ./persona/cmd/persona-lint $(CATALOGUE)

bench-identity: ## Compare the identity endpoints with Caddy's own redir and reverse_proxy
	$(GO) run ./caddymodule/cmd/bench-identity

bench-segment: bench-language

bench-language: ## Compare the language endpoints with a static response plus the library call
	$(GO) run ./caddymodule/cmd/bench-language

fuzz: ## Run each fuzz target for FUZZTIME (10m)
	@grep -rn --include='*_test.go' -o '^func Fuzz[A-Za-z]*' $(FUZZED) | while IFS=: read -r file _ target; do \
		echo "$${target#func } in $${file%/*}"; \
		$(GO) test -run '^$$' -fuzz "^$${target#func }\$$" -fuzztime $(FUZZTIME) ./$${file%/*} || exit 1; \
	done

# The published clients that the tests drive; without Node their tests skip.
$(CLIENTS)/node_modules: $(CLIENTS)/package-lock.json
	@if command -v npm >/dev/null; then npm ci --no-audit --no-fund --prefix $(CLIENTS) && touch $@; \
	else echo "npm is missing: the tests with the published JavaScript clients will skip"; fi
