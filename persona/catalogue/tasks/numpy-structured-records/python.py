# snippet:doc https://numpy.org/doc/stable/user/basics.rec.html Structured arrays
# snippet:about NumPy
# snippet:prints [1000 1250]
# snippet:prints 21.75
# snippet:prints 3 bytes too many
import numpy as np

# time in ms, temperature in 1/100 °C, status bits: little-endian, 7 bytes
RECORD = np.dtype([("ms", "<u4"), ("celsius", "<i2"), ("status", "u1")])


def read_records(raw: bytes) -> np.ndarray:
    if extra := len(raw) % RECORD.itemsize:
        raise ValueError(f"{extra} bytes too many")
    return np.frombuffer(raw, RECORD)


log = read_records(bytes.fromhex("e8030000 6608 00 e2040000 9808 01"))
print(log["ms"])
print(log["celsius"].mean() / 100)

# snippet:usage
try:
    read_records(bytes(10))
except ValueError as error:
    print(error)
