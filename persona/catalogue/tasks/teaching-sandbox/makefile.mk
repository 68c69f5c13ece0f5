# snippet:doc https://www.gnu.org/software/make/manual/html_node/Variables_002fRecursion.html The export directive
# "make lab STUDENT=ana": a container that keeps nothing but the learner's folder.
export STUDENT
# A plain name: with .. or none at all the folder would be everybody's.
NAMED   := @case "$$STUDENT" in "" | *[!a-z0-9-]*) echo "say who you are: make lab STUDENT=ana" >&2; exit 1;; esac
IMAGE   := example.com/course/lab:2025.1
LIMITS  := --memory=512m --cpus=1 --pids-limit=128 --network=none \
           --cap-drop=ALL --security-opt=no-new-privileges --read-only --tmpfs=/tmp

# As you: without capabilities not even root could write into your folder.
RUN      = docker run --rm --user="$$(id -u):$$(id -g)" $(LIMITS) \
           --mount "type=bind,source=$(CURDIR)/work/$$STUDENT,target=/home/learner/work"

lab:
	$(NAMED)
	mkdir -p "work/$$STUDENT"
	$(RUN) --interactive --tty $(IMAGE)

# A check runs what the learner wrote: in the container, too.
check-%:
	$(NAMED)
	@$(RUN) --volume "$(CURDIR)/exercises:/exercises:ro" $(IMAGE) \
	  python3 /exercises/$*/check.py /home/learner/work && echo "$*: solved, well done!"

reset:
	$(NAMED)
	rm -rf "work/$$STUDENT"

.PHONY: lab reset
# snippet:check
.DEFAULT_GOAL := run-check
run-check:
	@mkdir -p work/ana work/ben
	@$(MAKE) --no-print-directory --silent -f $(firstword $(MAKEFILE_LIST)) reset STUDENT=ana && ls work
	@for name in .. "" "ana ben" 'ben";echo "bad'; do \
	  $(MAKE) --silent -f $(firstword $(MAKEFILE_LIST)) reset STUDENT="$$name" 2> /dev/null || echo "not a name"; \
	done; ls work
# snippet:prints ben
# snippet:prints not a name
# snippet:prints not a name
# snippet:prints not a name
# snippet:prints not a name
# snippet:prints ben
