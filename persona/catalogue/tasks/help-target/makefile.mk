# snippet:doc https://www.gnu.org/software/make/manual/html_node/Phony-Targets.html Phony targets
# snippet:prints   build    Compile the program
# snippet:prints   clean    Remove what was built
# snippet:prints   help     Show this list
# snippet:prints   test     Run the tests
.DEFAULT_GOAL := help
.PHONY: help build test clean

help: ## Show this list
	@awk -F ':[^#]*## ' '/^[a-zA-Z0-9_.-]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' \
		$(MAKEFILE_LIST) | sort

build: ## Compile the program
	go build -o bin/app ./cmd/app

test: build ## Run the tests
	go test ./...

clean: ## Remove what was built
	$(RM) -r bin
