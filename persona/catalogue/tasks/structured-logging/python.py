# snippet:title Structured logging
# snippet:doc https://docs.python.org/3/library/logging.html#logging.Formatter logging.Formatter
# snippet:needs Python 3.11
import json
import logging
import sys
from datetime import UTC, datetime


class JsonFormatter(logging.Formatter):
    """One JSON object a line, so that a log store can index every field."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


handler = logging.StreamHandler(sys.stderr)
handler.setFormatter(JsonFormatter())
logging.basicConfig(level=logging.INFO, handlers=[handler])
log = logging.getLogger("checkout")
log.info("order placed", extra={"fields": {"order": 1042, "items": 3}})
# snippet:check

record = log.makeRecord("checkout", logging.INFO, __file__, 1, "paid %d", (7,), None)
record.created = 0
record.fields = {"order": 7}
print(JsonFormatter().format(record))
# snippet:prints {"time": "1970-01-01T00:00:00+00:00", "level": "INFO", "logger": "checkout", "message": "paid 7", "order": 7}
