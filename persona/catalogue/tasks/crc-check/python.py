# snippet:doc https://docs.python.org/3/library/binascii.html#binascii.crc_hqx binascii.crc_hqx
def crc16_ccitt(data: bytes, crc: int = 0xFFFF) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, as found in many radio and serial protocols.

    `binascii.crc_hqx(data, 0xFFFF)` is the same, written in C.
    """
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        crc &= 0xFFFF
    return crc


def is_intact(frame: bytes) -> bool:
    # A frame followed by its own big-endian CRC leaves a remainder of zero.
    return crc16_ccitt(frame) == 0


payload = b"123456789"
check = crc16_ccitt(payload)
# snippet:check
import binascii

assert check == binascii.crc_hqx(payload, 0xFFFF)
# snippet:end
print(f"{check:#06x}", is_intact(payload + check.to_bytes(2, "big")), is_intact(payload + b"\0\0"))
# snippet:prints 0x29b1 True False
