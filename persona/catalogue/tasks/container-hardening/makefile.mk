# snippet:doc https://docs.docker.com/reference/cli/docker/container/run/ docker run
IMAGE ?= example.com/shop/api:1.4.2

# A web service gets by with these; loosen one only with a reason beside it.
RIGHTS := --user=10001:10001 \
          --read-only --tmpfs=/tmp:size=32m,noexec \
          --cap-drop=ALL --security-opt=no-new-privileges \
          --memory=256m --pids-limit=100

run:
	docker run --rm --init $(RIGHTS) --publish=127.0.0.1:8080:8080 $(IMAGE)

scan:
	trivy image --exit-code 1 --severity HIGH,CRITICAL --ignore-unfixed $(IMAGE)

# The image itself, built or pulled before, must not ask for root.
verify: scan
	test "$$(docker inspect --format '{{.Config.User}}' $(IMAGE))" = 10001:10001

.PHONY: run scan verify
# snippet:check
.DEFAULT_GOAL := dry-run
dry-run: ; @$(MAKE) --no-print-directory --dry-run -f $(firstword $(MAKEFILE_LIST)) verify run
# snippet:prints trivy image --exit-code 1 --severity HIGH,CRITICAL --ignore-unfixed example.com/shop/api:1.4.2
# snippet:prints test "$(docker inspect --format '{{.Config.User}}' example.com/shop/api:1.4.2)" = 10001:10001
# snippet:prints docker run --rm --init --user=10001:10001 --read-only --tmpfs=/tmp:size=32m,noexec --cap-drop=ALL --security-opt=no-new-privileges --memory=256m --pids-limit=100 --publish=127.0.0.1:8080:8080 example.com/shop/api:1.4.2
