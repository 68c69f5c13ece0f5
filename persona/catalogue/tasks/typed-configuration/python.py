# snippet:doc https://docs.python.org/3/library/os.html#os.environ os.environ
import os
from collections.abc import Mapping
from dataclasses import dataclass


class ConfigError(Exception):
    pass


@dataclass(frozen=True)
class Settings:
    database_url: str
    port: int = 8080
    debug: bool = False

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read once at start: a missing value stops the deployment, not a request at night."""
        try:
            return cls(
                database_url=env["DATABASE_URL"],
                port=int(env.get("PORT", cls.port)),
                debug=env.get("DEBUG", "").lower() in {"1", "true", "yes"},
            )
        except KeyError as error:
            raise ConfigError(f"set {error.args[0]}") from None
        except ValueError:
            raise ConfigError(f"PORT must be a number, got {env['PORT']!r}") from None
# snippet:check


print(Settings.from_env({"DATABASE_URL": "sqlite:///app.db", "PORT": "9000", "DEBUG": "yes"}))
for env in ({}, {"DATABASE_URL": "x", "PORT": "http"}):
    try:
        Settings.from_env(env)
    except ConfigError as error:
        print(error)
# snippet:prints Settings(database_url='sqlite:///app.db', port=9000, debug=True)
# snippet:prints set DATABASE_URL
# snippet:prints PORT must be a number, got 'http'
