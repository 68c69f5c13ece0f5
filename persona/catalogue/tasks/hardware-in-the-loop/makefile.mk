# snippet:doc https://www.gnu.org/software/make/manual/html_node/Conditional-Functions.html Conditional functions
# snippet:check
# snippet:prints rm -f build/bench.xml # the report of the firmware before
# snippet:prints openocd -f board/st_nucleo_f4.cfg -c "program build/firmware.elf verify reset exit"
# snippet:prints pytest tests/bench --port /dev/ttyACM0 --timeout 60 --junit-xml build/bench.xml
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@mkdir -p build && touch build/firmware.elf
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) bench SERIAL=/dev/ttyACM0
# snippet:end
BOARD  ?= st_nucleo_f4
SERIAL ?= $(firstword $(wildcard /dev/ttyACM* /dev/cu.usbmodem*))

.PHONY: flash bench
flash: build/firmware.elf
	@rm -f build/bench.xml # the report of the firmware before
	openocd -f board/$(BOARD).cfg -c "program $< verify reset exit"

# The firmware is flashed before each run of the tests. The option --timeout is of pytest-timeout, and --port of
# tests/bench/conftest.py.
bench: flash
	$(if $(SERIAL),,$(error no board found: plug one in or say SERIAL=/dev/...))
	pytest tests/bench --port $(SERIAL) --timeout 60 --junit-xml build/bench.xml
