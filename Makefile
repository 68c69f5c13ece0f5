# `make` alone lists the targets.

GO       ?= go
MODULE   := github.com/identity-gateway/caddy-identity-gateway
ADDRESS  ?= http://localhost:8080
CONFIG   ?= caddymodule/devidp/Caddyfile
FUZZTIME ?= 10m
FUZZED   ?= idp segment persona caddymodule
EVERY    ?= 1
RERUNS   ?= 0
CLIENTS  := caddymodule/testbed/interop/clients
TESTBED  := $(GO) -C caddymodule/testbed

# Modules of their own, none of which users of the plugin download.
NESTED    = $(patsubst ./%/go.mod,%,$(shell find . -mindepth 2 -name go.mod -not -path '*/node_modules/*' -not -path './.cache/*' -not -path './.ci/*'))

# Those that take longest come first.
TESTS     = $(addprefix test-of-,caddymodule/testbed . $(filter-out caddymodule/testbed,$(NESTED)))

# The race detector takes a C compiler. In GOFLAGS it concerns what tests build, too, so that Caddy is compiled once.
RACE      = $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)

# `make run` builds as `make build` does, so that Caddy is compiled once for both; in tests, with the race detector, as these do.
PRODUCTION := -trimpath -tags nobadger,nomysql,nopgx
TESTED      = $(findstring -race,$(shell $(GO) env GOFLAGS))

.DEFAULT_GOAL := help
.PHONY: help run demo test cover mutants govulncheck build snapshot release xcaddy lint footprint interop attacks eval cases train baselines verify-snippets lint-catalogue bench faults lifecycle smuggling fuzz schemathesis site $(TESTS)

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Run the gateway with the development identity provider: ADDRESS=http://localhost:9080 for another port, REDIRECT_URIS= and ORIGINS=http://localhost:5173 for a page of yours, BIND=0.0.0.0 to be reached from elsewhere, CONFIG=caddymodule/examples/cli/Caddyfile for an example
	@echo "Building the gateway (the first time takes some minutes) ..."
	@$(if $(TESTED),,CGO_ENABLED=0) $(GO) build $(if $(TESTED),,$(PRODUCTION)) -o bin/gateway ./caddymodule/cmd/gateway
	@exec ./bin/gateway -address '$(ADDRESS)' -config '$(CONFIG)'

demo: ## Log in through the running gateway and segment a message
	@$(GO) run ./caddymodule/cmd/demo -gateway '$(ADDRESS)'

test: $(CLIENTS)/node_modules ## Run every test, with the race detector if there is a C compiler, and say what was skipped; RERUNS=1 runs those that fail once more, unless they are many
	@$(if $(RACE),,echo "There is no C compiler: the tests run without the race detector.")
	@$(GO) build -modfile=.ci/tools/go.mod -o .cache/bin/gotestsum gotest.tools/gotestsum
	@GOFLAGS="$$GOFLAGS $(RACE)" $(GO) build ./...
	@$(MAKE) --no-print-directory --keep-going --jobs 3 $(TESTS)

# Three modules at once, of which none compiles Caddy: tests wait for other processes, and for codes to expire, more than they compute.
# `make lint` vets.
$(TESTS): test-of-%:
	@GOFLAGS="$$GOFLAGS $(RACE)" .cache/bin/gotestsum --format pkgname --format-hide-empty-pkg \
		--rerun-fails=$(RERUNS) --rerun-fails-max-failures=6 --raw-command -- \
		sh -c 'exec $(GO) -C $$0 test -json -vet=off -timeout 15m -parallel 4 $${@:-./...}' $*

cover: ## Print the coverage of each package, and fail below the floors: PACKAGES="./idp/..." for some only
	@GO=$(GO) .ci/cover

mutants: ## Build faults into packages idp, idp/internal/upstream and grants, and print those that no test notices: PACKAGE=./idp/seal for another package
	GO=$(GO) nice -n 15 .ci/mutants $(or $(PACKAGE),./idp ./idp/internal/upstream ./idp/internal/grants)

govulncheck: ## Look for known vulnerabilities in what the plugin and the production build call (asks vuln.go.dev)
	$(GO) tool -modfile=.ci/tools/go.mod govulncheck ./caddymodule ./idp/... ./segment/... ./persona/...
	cd caddymodule/cmd/caddy && $(GO) tool -modfile=$(CURDIR)/.ci/tools/go.mod govulncheck .

build: ## Build the production Caddy into bin/caddy: static, so that it runs anywhere
	CGO_ENABLED=0 $(GO) build -C caddymodule/cmd/caddy $(PRODUCTION) -ldflags '-s -w' -o $(CURDIR)/bin/caddy .
	@printf '\nCaddy with the gateway is %s. Have it ask your identity provider, and print a Caddyfile for it:\n\n  %s\n' \
		'$(CURDIR)/bin/caddy' '$(CURDIR)/bin/caddy identity-gateway check https://accounts.google.com'

snapshot: ## Build a release for all platforms into dist/ without publishing it, and start it
	.ci/goreleaser release --snapshot --clean --skip=docker,sign
	.ci/smoke dist/caddy-identity-gateway_*_linux_$$($(GO) env GOARCH).tar.gz

release: ## Release VERSION=v1.2.3, as .github/RELEASING.md says: changelog, versions, a trial build, tags, and after a question the push
	.ci/release publish '$(VERSION)'

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

interop: $(addprefix $(CLIENTS)/,node_modules .venv .inspector .keycloak .spring $(addprefix libraries/,node_modules spring/target rust/target)) ## Log published clients in at published identity providers through the gateway
	$(TESTBED) test -count=1 -v -timeout 1h -run 'Published|TheConsentPage|ThePagesInABrowser' ./interop -args -all

attacks: ## Attack logins through the gateway in every mode and print the table of caddymodule/THREATS.md
	@$(TESTBED) test -count=1 -timeout 1h -run 'TestAttacks$$' ./attacks -args -print

eval: ## Print the accuracy of segmentation and classification on the dev data (needs the corpus)
	$(GO) -C segment/train run ./cmd/eval

cases: ## Print which messages that other tools misread are misread here
	@$(GO) test -count=1 -v -run 'TestCases$$' ./segment

train: ## Train all models anew from the corpus
	$(GO) generate ./segment/internal/linetag ./segment/internal/langid ./segment/internal/mention

baselines: ## Compare the classifier with others on the same snippets: EVERY=10 for a tenth of them (needs the corpus, Node and Python)
	cd segment/train/baselines && $(GO) run . -check && npm ci --no-audit --no-fund && python3 -m venv .venv \
		&& .venv/bin/pip install --quiet -r requirements.txt && $(GO) run . -every $(EVERY)

verify-snippets: ## Run every snippet of the catalogue through its language's own tools
	@start=$$(date +%s); caddymodule/testbed/snippets/install.sh && $(TESTBED) run ./snippets; result=$$?; \
	echo "$$((($$(date +%s) - start) / 60)) minutes on $$(nproc) cores"; exit $$result

lint-catalogue: ## Check your own catalogue: make lint-catalogue CATALOGUE=<folder>
	@$(GO) run ./caddymodule/cmd/lint-catalogue $(CATALOGUE)

bench: ## Compare what requests cost with Caddy's own redir, reverse_proxy and respond (on Linux)
	$(TESTBED) run ./cmd/load

faults: ## Let an identity provider fail in 87 ways and print what the gateway's clients get
	$(TESTBED) test -count=1 -v -timeout 1h -parallel 16 ./faults -args -all -slack 4s

smuggling: ## Send requests that two servers read differently, and print what reaches the server behind the gateway
	$(TESTBED) test -count=1 -v ./smuggling

lifecycle: ## Reload, stop, kill and starve a gateway with logins through it: CASE=Storage for some only
	$(TESTBED) test -count=1 -v -timeout 1h -run 'TestLifecycle/$(CASE)' ./lifecycle -args -reloads 1000

schemathesis: ## Send requests made from the OpenAPI document to a gateway: EXAMPLES=50 for each operation (needs Python)
	@GO=$(GO) caddymodule/openapi/schemathesis/run $(EXAMPLES)

site: ## Build the documentation as a site into caddymodule/site/dist, and check its links (needs Node and Chromium)
	@GO=$(GO) caddymodule/site/build

fuzz: ## Run each fuzz target for FUZZTIME (10m)
	@grep -rn --include='*_test.go' -o '^func Fuzz[A-Za-z]*' $(FUZZED) | { failed=; while IFS=: read -r file _ target; do \
		echo "$${target#func } in $${file%/*}"; \
		$(GO) -C $${file%/*} test -run '^$$' -fuzz "^$${target#func }\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s . || failed="$$failed $${target#func }"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }; }

# The published clients that the tests drive; without Node their tests skip.
$(CLIENTS)/node_modules: $(CLIENTS)/package-lock.json
	@if ! command -v npm >/dev/null; then echo "npm is missing: the tests with the published JavaScript clients will skip"; \
	elif npm ci --no-audit --no-fund --prefix $(CLIENTS); then touch $@; \
	else rm -rf $@; echo "npm could not install the published JavaScript clients: their tests will skip"; fi

# The agents that only make interop runs: in Python, and one that needs a Node of its own.
$(CLIENTS)/.venv: $(CLIENTS)/requirements.txt
	@if command -v python3 >/dev/null; then python3 -m venv $@ && $@/bin/pip install --quiet -r $< && touch $@; fi

$(CLIENTS)/.inspector: Makefile
	@if command -v npm >/dev/null; then npm install --no-audit --no-fund --prefix $@ node@22.23.3 @modelcontextprotocol/inspector@2.12.0 && touch $@; fi

# The libraries of apps.
$(CLIENTS)/libraries/node_modules: $(CLIENTS)/libraries/package-lock.json
	@if command -v npm >/dev/null; then npm ci --no-audit --no-fund --prefix $(@D) && touch $@; fi

$(CLIENTS)/libraries/spring/target: $(addprefix $(CLIENTS)/libraries/spring/,pom.xml App.java application.properties)
	@if command -v mvn >/dev/null && command -v javac >/dev/null; then mvn --batch-mode --quiet -f $(@D) dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/$@/lib \
		&& javac -parameters -d $@/classes -cp '$@/lib/*' $(@D)/App.java && cp $(@D)/application.properties $@/classes && touch $@; fi

$(CLIENTS)/libraries/rust/target: $(addprefix $(CLIENTS)/libraries/rust/,Cargo.toml src/main.rs)
	@if command -v cargo >/dev/null; then cargo build --quiet --release --manifest-path $< && touch $@; fi

# The identity providers in Java.
$(CLIENTS)/.keycloak: Makefile
	@if command -v mvn >/dev/null; then mkdir -p $@ && cd $@ \
		&& mvn --batch-mode --quiet dependency:unpack -Dartifact=org.keycloak:keycloak-quarkus-dist:26.4.0:zip -DoutputDirectory=. \
		&& ./*/bin/kc.sh build --db=dev-mem && touch .; fi

$(CLIENTS)/.spring: $(wildcard $(CLIENTS)/../spring/*)
	@if command -v mvn >/dev/null && command -v javac >/dev/null; then mvn --batch-mode --quiet -f $(CLIENTS)/../spring dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/$@/lib \
		&& javac -parameters -d $@/classes -cp '$@/lib/*' $(CLIENTS)/../spring/Application.java && touch $@; fi
