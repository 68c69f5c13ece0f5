# snippet:doc https://docs.python.org/3/library/os.html#os.environ os.environ
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass


class ConfigError(Exception):
    pass


@dataclass(frozen=True)
class Settings:
    database_url: str
    port: int
    debug: bool

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read once at start; what is missing or wrong is reported all at once."""
        problems = []
        if not (url := env.get("DATABASE_URL", "")):
            problems.append("DATABASE_URL is not set")
        if not re.fullmatch("[0-9]{1,5}", port := env.get("PORT", "8080")) or int(port) > 65535:
            problems.append(f"PORT must be a number up to 65535, got {port!r}")
        if (debug := env.get("DEBUG", "false").lower()) not in ("true", "false"):
            problems.append(f"DEBUG must be true or false, got {debug!r}")
        if problems:
            raise ConfigError("; ".join(problems))
        return cls(url, int(port), debug == "true")
# snippet:check


print(Settings.from_env({"DATABASE_URL": "sqlite:///app.db", "PORT": "9000", "DEBUG": "True"}))
try:
    Settings.from_env({"PORT": "http", "DEBUG": "ja"})
except ConfigError as error:
    print(error)
# snippet:prints Settings(database_url='sqlite:///app.db', port=9000, debug=True)
# snippet:prints DATABASE_URL is not set; PORT must be a number up to 65535, got 'http'; DEBUG must be true or false, got 'ja'
