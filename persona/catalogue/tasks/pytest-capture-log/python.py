# snippet:doc https://docs.pytest.org/en/stable/how-to/logging.html How to manage logging
# snippet:about pytest
# snippet:check
# snippet:prints 2 passed
# snippet:end
import logging

log = logging.getLogger("login")


def log_in(user: str, password: str) -> bool:
    if password != "correct horse":
        log.warning("login failed for %s", user)
        return False
    print(f"Welcome, {user}")
    return True


def test_a_failure_is_a_warning_without_the_password(caplog):
    caplog.set_level(logging.DEBUG)  # or a password that is logged as INFO would not be seen
    log_in("ada", "hunter2")
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.args == ("ada",)
    assert "failed" in record.getMessage()
    assert "hunter2" not in caplog.text


def test_success_is_quiet_in_the_log(caplog, capsys):
    caplog.set_level(logging.DEBUG)
    log_in("ada", "correct horse")
    assert caplog.records == []
    assert capsys.readouterr().out == "Welcome, ada\n"
