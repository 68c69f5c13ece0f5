# `make` alone lists the targets.

GO       ?= go
MODULE   := github.com/identity-gateway/caddy-identity-gateway
ADDRESS  ?= http://localhost:8080
CONFIG   ?= caddymodule/devidp/Caddyfile
FUZZTIME ?= 10m
FUZZED   ?= idp segment persona caddymodule
EVERY    ?= 1
CLONES   ?= $(or $(TMPDIR),/tmp)/segment-clones
CLIENTS  := caddymodule/interop/clients
TESTBED  := $(GO) -C caddymodule/testbed run ./cmd

# Modules of their own: training, attacks and measurements, interoperability tests. Plugin users download none of them.
NESTED    = $(patsubst ./%/go.mod,%,$(shell find . -mindepth 2 -name go.mod -not -path '*/node_modules/*' -not -path './.cache/*' -not -path './.ci/*'))

.DEFAULT_GOAL := help
.PHONY: help run demo test cover mutants govulncheck build snapshot xcaddy lint footprint interop attacks eval cases train corpus baselines verify-snippets lint-catalogue bench-identity bench-segment bench-language flood faults network cluster hostile-clients lifecycle smuggling path-confusion soak fuzz schemathesis

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Run the gateway with the development identity provider: ADDRESS=http://localhost:9080 for another port, CONFIG=caddymodule/examples/cli/Caddyfile for an example
	@echo "Building the gateway (the first time takes some minutes) ..."
	@$(GO) build -o bin/gateway ./caddymodule/cmd/gateway
	@exec ./bin/gateway -address '$(ADDRESS)' -config '$(CONFIG)'

demo: ## Log in through the running gateway and segment a message
	@$(GO) run ./caddymodule/cmd/demo -gateway '$(ADDRESS)'

test: $(CLIENTS)/node_modules ## Run every test with the race detector
	@for module in . $(NESTED); do \
		echo "$(GO) -C $$module test -race ./..." && $(GO) -C $$module vet ./... && $(GO) -C $$module test -race -timeout 20m ./... || exit 1; \
	done

cover: ## Print the coverage of each package, and fail below the floors: PACKAGES="./idp/..." for some only
	@GO=$(GO) .ci/cover

mutants: ## Build faults into package idp, and fail if its tests do not notice one: FILES='(pkce|uri)\.go' for some only
	@cd idp/mutants && nice -n 15 $(GO) run . -packages '$(or $(PACKAGES),./...)' -files '$(FILES)'

govulncheck: ## Look for known vulnerabilities in what the plugin and the production build call (asks vuln.go.dev)
	$(GO) tool -modfile=.ci/tools/go.mod govulncheck ./caddymodule ./idp/... ./segment/... ./persona/...
	cd caddymodule/cmd/caddy && $(GO) tool -modfile=$(CURDIR)/.ci/tools/go.mod govulncheck .

build: ## Build the production Caddy into bin/caddy
	$(GO) build -C caddymodule/cmd/caddy -trimpath -tags nobadger,nomysql,nopgx -ldflags '-s -w' -o $(CURDIR)/bin/caddy .

snapshot: ## Build a release for all platforms into dist/ without publishing it, and start it
	.ci/goreleaser release --snapshot --clean --skip=docker,sign
	.ci/smoke dist/caddy-identity-gateway_*_linux_$$($(GO) env GOARCH).tar.gz

# xcaddy asks the module proxy for this module, although it is replaced, and ends
# at any refusal other than 404 or 410. GONOPROXY sends that one question to the
# clone itself, in the place of the host in the module path.
xcaddy: ## Build it with xcaddy, as README recommends, into bin/caddy-xcaddy
	GONOPROXY=$(MODULE) GONOSUMDB=$(MODULE) GIT_CONFIG_COUNT=1 \
	GIT_CONFIG_KEY_0=url.file://$(CURDIR).insteadOf GIT_CONFIG_VALUE_0=https://$(MODULE) \
	$(GO) tool -modfile=.ci/tools/go.mod xcaddy build \
		$$($(GO) list -m -f '{{.Version}}' github.com/caddyserver/caddy/v2) --output bin/caddy-xcaddy \
		--with $(MODULE)/caddymodule --replace $(MODULE)=.
	bin/caddy-xcaddy list-modules | grep -x http.handlers.identity_gateway

lint: ## Check formatting, modules and code style
	.ci/lint

footprint: ## Print what the plugin adds to Caddy: modules and megabytes
	@.ci/footprint

interop: $(CLIENTS)/node_modules ## Log published clients in at published identity providers through the gateway
	$(GO) -C caddymodule/interop run .

attacks: ## Attack logins through the gateway in every mode and print the table of caddymodule/THREATS.md
	$(TESTBED)/attacks

eval: ## Print the accuracy of segmentation and classification on the dev data (needs the corpus)
	$(GO) -C segment/train run ./cmd/eval

cases: ## Print which messages that other tools misread are misread here
	@$(GO) -C segment/train run ./cmd/cases

train: ## Train both models anew from the corpus
	$(GO) generate ./segment/internal/linetag ./segment/internal/langid

corpus: ## Build a corpus like that of the models into CORPUS (default ../shared/corpus), with clones in CLONES
	$(GO) -C segment/train run ./cmd/corpus -out '$(abspath $(or $(CORPUS),../shared/corpus))' -cache '$(abspath $(CLONES))'

baselines: ## Compare the classifier with others on the same snippets: EVERY=10 for a tenth of them (needs the corpus, Node and Python)
	cd segment/train/baselines && $(GO) run . -check && npm ci --no-audit --no-fund && python3 -m venv .venv \
		&& .venv/bin/pip install --quiet -r requirements.txt && $(GO) run . -every $(EVERY)

verify-snippets: ## Run every snippet of the catalogue through its language's own tools
	@start=$$(date +%s); persona/tools/verify/install.sh && $(GO) -C persona/tools run ./verify; result=$$?; \
	echo "$$((($$(date +%s) - start) / 60)) minutes on $$(nproc) cores"; exit $$result

lint-catalogue: ## Check your own catalogue: make lint-catalogue CATALOGUE=<folder>
	@$(GO) run ./caddymodule/cmd/lint-catalogue $(CATALOGUE)

bench-identity: ## Compare the identity endpoints with Caddy's own redir and reverse_proxy
	$(TESTBED)/bench-identity

bench-segment: bench-language

bench-language: ## Compare the language endpoints with a static response plus the library call
	$(TESTBED)/bench-language

flood: ## Flood segmentation with 1 MB messages and print what that does to /authorize, memory and throughput
	$(TESTBED)/flood

faults: ## Let an identity provider fail in 163 ways and print what the gateway's clients get
	$(TESTBED)/faults

network: ## Spoil the lines of a gateway on Linux, as root, and print what becomes of logins
	$(TESTBED)/network

cluster: build ## Break three gateways' Redis and Sentinels on Linux, as root, and print what becomes of logins
	$(TESTBED)/cluster -caddy $(CURDIR)/bin/caddy

hostile-clients: ## Hold 10,000 slow connections, and misuse HTTP/2, and print what that does to everybody else
	$(TESTBED)/hostile-clients

smuggling: ## Send requests that two servers read differently, and print what reaches the server behind the gateway
	$(TESTBED)/smuggling

path-confusion: ## Ask real servers behind the gateway for a private path in every spelling (fetches Express and Tomcat)
	$(TESTBED)/path-confusion

lifecycle: build ## Reload, stop, kill and starve the production Caddy with logins through it: CASE=Storage for some only
	$(TESTBED)/lifecycle -caddy $(CURDIR)/bin/caddy -case '$(CASE)'

soak: build ## Let two gateways work at half of their peak with faults, reloads and kills: SOAK=30m, plotted to soak.svg
	$(TESTBED)/soak -caddy $(CURDIR)/bin/caddy -duration $(or $(SOAK),30m) -plot $(CURDIR)/soak.svg

schemathesis: ## Send requests made from the OpenAPI document to a gateway: EXAMPLES=50 for each operation (needs Python)
	@GO=$(GO) caddymodule/openapi/schemathesis/run $(EXAMPLES)

fuzz: ## Run each fuzz target for FUZZTIME (10m)
	@grep -rn --include='*_test.go' -o '^func Fuzz[A-Za-z]*' $(FUZZED) | { failed=; while IFS=: read -r file _ target; do \
		echo "$${target#func } in $${file%/*}"; \
		$(GO) -C $${file%/*} test -run '^$$' -fuzz "^$${target#func }\$$" -fuzztime $(FUZZTIME) . || failed="$$failed $${target#func }"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }; }

# The published clients that the tests drive; without Node their tests skip.
$(CLIENTS)/node_modules: $(CLIENTS)/package-lock.json
	@if command -v npm >/dev/null; then npm ci --no-audit --no-fund --prefix $(CLIENTS) && touch $@; \
	else echo "npm is missing: the tests with the published JavaScript clients will skip"; fi
