// snippet:doc https://en.cppreference.com/w/c/types/integer stdint.h
// snippet:prints 29B1
// snippet:prints 0
// snippet:prints 1
#include <stddef.h>
#include <stdint.h>

/*
 * CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF), bit by bit: small
 * enough for a boot loader. Start with CRC16_INIT and feed the data in any
 * pieces; a frame followed by its own CRC (big-endian) gives zero.
 */
#define CRC16_INIT 0xFFFFu

uint16_t crc16_update(uint16_t crc, const void *data, size_t length)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint16_t)((unsigned)bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(((unsigned)crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0));
    }
    return crc;
}
// snippet:usage
#include <stdio.h>

int main(void)
{
    printf("%04X\n", crc16_update(CRC16_INIT, "123456789", 9));
    uint8_t frame[] = {'1', '2', '3', '4', '5', '6', '7', '8', '9', 0x29, 0xB1};
    printf("%u\n", crc16_update(crc16_update(CRC16_INIT, frame, 4), frame + 4, 7));
    frame[2] ^= 1;
    printf("%d\n", crc16_update(CRC16_INIT, frame, sizeof frame) != 0);
}
