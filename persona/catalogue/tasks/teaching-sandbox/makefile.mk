# snippet:doc https://www.gnu.org/software/make/manual/html_node/Text-Functions.html Functions for text
# "make lab STUDENT=ana": a container that can break nothing but itself and this student's work.
STUDENT ?= $(error say who you are: make lab STUDENT=ana)
# A plain name: work/.. would be everybody's.
NAME     = $(if $(findstring .,$(STUDENT))$(findstring /,$(STUDENT)),$(error not a name),$(STUDENT))
IMAGE   := example.com/course/lab:2025.1
LIMITS  := --memory=512m --cpus=1 --pids-limit=128 --network=none \
           --cap-drop=ALL --security-opt=no-new-privileges --read-only --tmpfs=/tmp

lab:
	mkdir -p work/$(NAME)
	docker run --rm --interactive --tty $(LIMITS) \
	  --volume "$(CURDIR)/work/$(NAME):/home/learner/work" $(IMAGE)

# Each exercise has a test that says what is missing.
check-%:
	@python3 exercises/$*/check.py work/$(NAME) && echo "$*: solved, well done!"

reset:
	rm -rf "work/$(NAME)"

.PHONY: lab reset
# snippet:check
.DEFAULT_GOAL := run-check
run-check:
	@$(MAKE) --no-print-directory --dry-run -f $(firstword $(MAKEFILE_LIST)) reset STUDENT=ana
	@$(MAKE) --no-print-directory --dry-run -f $(firstword $(MAKEFILE_LIST)) reset 2> /dev/null || echo "a name is needed"
	@$(MAKE) --dry-run -f $(firstword $(MAKEFILE_LIST)) reset STUDENT=.. > /dev/null 2>&1 || echo "not a name"
# snippet:prints rm -rf "work/ana"
# snippet:prints a name is needed
# snippet:prints not a name
