import os

from ops.launcher.log_file import LogFile


def write(log, text):
    descriptor = log.open()
    os.write(descriptor, text.encode())
    os.close(descriptor)


def test_only_new_whole_lines_of_level_error_are_shown(tmp_path):
    path = tmp_path / "web.log"
    path.write_text("2026-01-01 ERROR of the last run\n")
    log = LogFile(path)
    write(log, "2026-01-02 10:00:00,000 INFO corpus: an ERROR counter is fine " + "x" * 60 + "\n")
    write(log, "2026-01-02 10:00:00,000 ERROR django.request: first\n[2026-01-02 +0000] [12] [ERROR] half")
    assert log.new_errors() == ["2026-01-02 10:00:00,000 ERROR django.request: first"]
    write(log, " a line\n")
    assert log.new_errors() == ["[2026-01-02 +0000] [12] [ERROR] half a line"]
    assert log.new_errors() == []


def test_rotation_keeps_so_many_files_and_the_child_writes_on(tmp_path):
    log = LogFile(tmp_path / "worker.log", limit=10, keep=2)
    descriptor = log.open()
    for number in range(4):
        os.write(descriptor, f"{number}: ERROR enough\n".encode())
        assert log.new_errors() == [f"{number}: ERROR enough"]
        log.rotate()
    os.close(descriptor)
    assert log.path.read_text() == ""
    assert (tmp_path / "worker.log.1").read_text() == "3: ERROR enough\n"
    assert (tmp_path / "worker.log.2").read_text() == "2: ERROR enough\n"
    assert not (tmp_path / "worker.log.3").exists()


def test_tail_is_the_end(tmp_path):
    log = LogFile(tmp_path / "web.log")
    assert log.tail() == ""
    write(log, "".join(f"line {n}\n" for n in range(5000)))
    assert log.tail(2) == "line 4998\nline 4999"


def test_log_is_private(tmp_path):
    log = LogFile(tmp_path / "web.log")
    write(log, "x\n")
    assert log.path.stat().st_mode & 0o777 == 0o600
