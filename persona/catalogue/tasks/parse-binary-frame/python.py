# snippet:description Read a frame of a sensor: magic bytes, version, flags, number, voltage and time, all little-endian and of a
# snippet:description fixed length. Bytes that are too few, and other magic bytes, are refused.
# snippet:doc https://docs.python.org/3/library/struct.html struct
import struct
from typing import NamedTuple

# Little-endian: magic, version, flags, sensor id, millivolts, then a 32-bit timestamp.
HEADER = struct.Struct("<2sBBHhI")


class Frame(NamedTuple):
    magic: bytes
    version: int
    flags: int
    sensor: int
    millivolts: int
    seconds: int

    @classmethod
    def parse(cls, packet: bytes) -> "Frame":
        if len(packet) < HEADER.size:
            raise ValueError(f"frame needs {HEADER.size} bytes, got {len(packet)}")
        frame = cls._make(HEADER.unpack_from(packet))
        if frame.magic != b"SN":
            raise ValueError(f"not a sensor frame: {frame.magic!r}")
        return frame


print(Frame.parse(bytes.fromhex("534e0103 2a00 18fc 00a5b665")))
# snippet:prints Frame(magic=b'SN', version=1, flags=3, sensor=42, millivolts=-1000, seconds=1706468608)
