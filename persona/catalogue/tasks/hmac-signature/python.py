# snippet:doc https://docs.python.org/3/library/hmac.html hmac
# snippet:description Check the signature of a web hook: an HMAC-SHA-256 over its time and body, compared by the function that is
# snippet:description made for secrets. A message whose time is more than five minutes off is refused, so that a recorded one can be
# snippet:description sent again only for some minutes.
import hashlib
import hmac
import re
import time


def verify_webhook(
    secret: bytes, body: bytes, timestamp: str, signature: str, *, max_age: int = 300
) -> bool:
    """Check `hex(hmac_sha256(secret, timestamp + "." + body))` and that the message is fresh."""
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > max_age:
        return False  # perhaps an old message, sent again by somebody else
    message = timestamp.encode() + b"." + body
    expected = hmac.new(secret, message, hashlib.sha256).hexdigest()
    # == would stop at the first difference and tell by its time how much was right.
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))
# snippet:usage
# snippet:prints True
# snippet:prints False


secret, body, stamp = b"a secret of both", b'{"event":"paid"}', str(int(time.time()))
good = hmac.new(secret, stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
print(verify_webhook(secret, body, stamp, good))
print(verify_webhook(secret, body + b" ", stamp, good))
# snippet:check
# snippet:prints False False False
assert not verify_webhook(secret, body, stamp, "\udce9")  # as frameworks decode a stray byte
print(verify_webhook(secret, body, "1000", good), verify_webhook(secret, body, "soon", "é"), verify_webhook(secret, body, "9" * 5000, good))
