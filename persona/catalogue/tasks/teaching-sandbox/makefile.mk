# snippet:doc https://www.gnu.org/software/make/manual/html_node/Text-Functions.html Functions for text
# "make lab STUDENT=ana": a container that can change only its /tmp and the learner's folder.
STUDENT ?= $(error say who you are: make lab STUDENT=ana)
# One plain word: work/.. and work/ would be everybody's.
BAD      = $(filter-out 1,$(words $(STUDENT)))$(findstring .,$(STUDENT))$(findstring /,$(STUDENT))
NAME     = $(if $(BAD),$(error not a name),$(STUDENT))
IMAGE   := example.com/course/lab:2025.1
LIMITS  := --memory=512m --cpus=1 --pids-limit=128 --network=none \
           --cap-drop=ALL --security-opt=no-new-privileges --read-only --tmpfs=/tmp

RUN      = docker run --rm $(LIMITS) --volume "$(CURDIR)/work/$(NAME):/home/learner/work"

lab:
	mkdir -p "work/$(NAME)"
	$(RUN) --interactive --tty $(IMAGE)

# A check runs what the learner wrote: in the container, too.
check-%:
	@$(RUN) --volume "$(CURDIR)/exercises:/exercises:ro" $(IMAGE) \
	  python3 /exercises/$*/check.py /home/learner/work && echo "$*: solved, well done!"

reset:
	rm -rf "work/$(NAME)"

.PHONY: lab reset
# snippet:check
.DEFAULT_GOAL := run-check
run-check:
	@$(MAKE) --no-print-directory --dry-run -f $(firstword $(MAKEFILE_LIST)) reset STUDENT=ana
	@$(MAKE) --no-print-directory --dry-run -f $(firstword $(MAKEFILE_LIST)) reset 2> /dev/null || echo "a name is needed"
	@for name in .. "" "ana ben"; do \
	  $(MAKE) --dry-run -f $(firstword $(MAKEFILE_LIST)) reset STUDENT="$$name" > /dev/null 2>&1 || echo "not a name"; \
	done
# snippet:prints rm -rf "work/ana"
# snippet:prints a name is needed
# snippet:prints not a name
# snippet:prints not a name
# snippet:prints not a name
