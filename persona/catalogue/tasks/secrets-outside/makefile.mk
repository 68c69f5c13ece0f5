# snippet:doc https://www.gnu.org/software/make/manual/html_node/Make-Control-Functions.html Functions that control make
# snippet:check
# snippet:prints deploy with the token from the environment
# snippet:prints stopped: DEPLOY_TOKEN is not set
.DEFAULT_GOAL := check
.PHONY: check
check:
	@DEPLOY_TOKEN=x $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) deploy
	@env -u DEPLOY_TOKEN $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) deploy 2>/dev/null \
		|| echo "stopped: DEPLOY_TOKEN is not set"
deploy-command := echo deploy with the token from the environment
# snippet:end
# The token belongs in the environment, not in this file and not on the
# command line, where "ps" would show it. The recipe only passes its name on.
require-env = $(if $(value $(1)),,$(error $(1) is not set; see docs/deploy.md))

.PHONY: deploy
deploy:
	$(call require-env,DEPLOY_TOKEN)
	@$(deploy-command)

deploy-command ?= ./deploy --token-from-env DEPLOY_TOKEN
