# snippet:doc https://www.gnu.org/software/make/manual/html_node/Automatic-Prerequisites.html Automatic prerequisites
# snippet:needs GNU coreutils, the Arm GNU toolchain
# snippet:check
# snippet:prints build/firmware.bin: OK
# snippet:prints arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -T board.ld -Wl,--gc-sections build/led.o -o build/firmware.elf
# snippet:prints arm-none-eabi-gcc is not 13.3.1
# snippet:prints refused
.DEFAULT_GOAL := check
.PHONY: check
# Stands in for the cross tools: each makes its output file.
check:
	@mkdir -p src tools && touch src/main.c src/led.c board.ld
	@for tool in gcc objcopy size; do \
		printf '%s\n' '#!/bin/sh' 'case $$1 in -dumpfullversion) echo $${FAKE:-13.3.1}; exit;; esac' \
			'for last; do :; done; test $$(basename $$0) = arm-none-eabi-size || echo x > $$last' > tools/arm-none-eabi-$$tool; \
		chmod +x tools/arm-none-eabi-$$tool; done
	@PATH=$$PWD/tools:$$PATH $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) firmware
	@sha256sum --check build/firmware.bin.sha256
	@rm src/main.c && PATH=$$PWD/tools:$$PATH $(MAKE) -f $(firstword $(MAKEFILE_LIST)) firmware | grep -e '-T board.ld'
	@touch src/led.c
	@FAKE=13.2.1 PATH=$$PWD/tools:$$PATH $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) firmware 2>/dev/null || echo refused
# snippet:end
CC       := arm-none-eabi-gcc
EXPECTED := 13.3.1
CPU      := -mcpu=cortex-m4 -mthumb
CFLAGS   := $(CPU) -Os -Wall -Wextra -ffunction-sections -fdata-sections -ffile-prefix-map=$(CURDIR)=. -MMD -MP
OBJECTS  := $(patsubst src/%.c,build/%.o,$(sort $(wildcard src/*.c)))

.PHONY: firmware toolchain
.DELETE_ON_ERROR: # half a file would pass for a whole one
firmware: build/firmware.bin.sha256
	arm-none-eabi-size build/firmware.elf

toolchain:
	@test "$$($(CC) -dumpfullversion)" = $(EXPECTED) || { echo "$(CC) is not $(EXPECTED)"; exit 1; }

%.sha256: %
	sha256sum $< > $@

build/firmware.bin: build/firmware.elf
	arm-none-eabi-objcopy -O binary $< $@

build/firmware.elf: $(OBJECTS) board.ld src # the folder: a source may be gone
	$(CC) $(CPU) -T board.ld -Wl,--gc-sections $(OBJECTS) -o $@

build/%.o: src/%.c $(firstword $(MAKEFILE_LIST)) | build toolchain
	$(CC) $(CFLAGS) -c $< -o $@

build:
	mkdir -p $@

-include $(OBJECTS:.o=.d) # the headers of each object, written down by the compiler
