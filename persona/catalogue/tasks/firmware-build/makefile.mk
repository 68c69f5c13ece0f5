# snippet:doc https://www.gnu.org/software/make/manual/html_node/Automatic-Prerequisites.html Automatic prerequisites
# snippet:check
# snippet:prints arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os -Wall -Wextra -MMD -MP -c src/led.c -o build/led.o
# snippet:prints arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os -Wall -Wextra -MMD -MP -c src/main.c -o build/main.o
# snippet:prints arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -T board.ld -Wl,--gc-sections build/led.o build/main.o -o build/firmware.elf
# snippet:prints arm-none-eabi-objcopy -O binary build/firmware.elf build/firmware.bin
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@mkdir -p src build && touch src/main.c src/led.c board.ld
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) build/firmware.bin
# snippet:end
CC      := arm-none-eabi-gcc
CPU     := -mcpu=cortex-m4 -mthumb
CFLAGS  := $(CPU) -Os -Wall -Wextra -MMD -MP
OBJECTS := $(patsubst src/%.c,build/%.o,$(sort $(wildcard src/*.c)))

build/firmware.bin: build/firmware.elf
	arm-none-eabi-objcopy -O binary $< $@

build/firmware.elf: $(OBJECTS) board.ld
	$(CC) $(CPU) -T board.ld -Wl,--gc-sections $(OBJECTS) -o $@

build/%.o: src/%.c | build
	$(CC) $(CFLAGS) -c $< -o $@

build:
	mkdir -p $@

# The headers that each object was made from, written down by the compiler.
-include $(OBJECTS:.o=.d)
