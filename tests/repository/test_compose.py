"""compose.yaml, compose.hosts.yaml and the Dockerfile: what they refer to exists, and nothing has more rights
than it needs. A container engine is not needed."""

import re
from fnmatch import fnmatch
from importlib.util import find_spec
from urllib.parse import urlsplit

import pytest
import yaml
from django.urls import resolve

from config.variables import VARIABLES
from ops.diagnosis import CHECKS
from ops.launcher.installation import REPOSITORY
from paragold.cli.main import APPLICATION

FILES = ("compose.yaml", "compose.hosts.yaml")
REFERENCE = re.compile(r"\$\{(\w+)(?::[-?][^}]*)?\}")
PINNED = re.compile(r"[a-z]+:\d[\w.-]*|[^@]+@sha256:[0-9a-f]{64}")
KEYS = {
    *("build", "image", "env_file", "environment", "volumes", "networks", "init", "read_only", "tmpfs"),
    *("cap_drop", "security_opt", "command", "restart", "depends_on", "ports", "healthcheck"),
    *("stop_grace_period", "shm_size", "mem_limit"),
}
# Chosen by compose.yaml or by the administrator for a container, and read by none of our programs.
OF_CONTAINERS = {"POSTGRES_PASSWORD", "REDIS_PASSWORD", "BIND"}


def text(name):
    return (REPOSITORY / name).read_text(encoding="utf-8")


@pytest.fixture(params=FILES)
def compose(request):
    read = yaml.safe_load(text(request.param))
    return read | {"text": text(request.param)}


def own(compose):
    """The services that run Paragold."""
    return {name: one for name, one in compose["services"].items() if "build" in one}


def offered():
    """The variables that .env.example asks for or offers."""
    return set(re.findall(r"^(?:# )?([A-Z_]+)=", text(".env.example"), re.MULTILINE))


def instructions(name):
    """Those of the Dockerfile with this name."""
    lines = text("Dockerfile").replace("\\\n", " ").splitlines()
    return [line.partition(" ")[2].strip() for line in lines if line.startswith(f"{name} ")]


def test_services_have_known_keys_and_refer_to_what_is_declared(compose):
    services = compose["services"]
    assert set(own(compose)) == {"prepare", "web", "worker", "short-worker"}
    for name, one in services.items():
        assert set(one) <= KEYS, name
        for volume in one.get("volumes", []):
            assert volume.partition(":")[0] in compose["volumes"], name
        assert set(one.get("networks", [])) <= set(compose.get("networks", {})), name
        for other, needs in one.get("depends_on", {}).items():
            condition = needs["condition"]
            if condition == "service_healthy":
                assert "healthcheck" in services[other], other
            else:
                assert condition == "service_completed_successfully" and services[other]["restart"] == "no"


def test_variables_are_known_and_offered(compose):
    for name, one in own(compose).items():
        assert set(one["environment"]) <= set(VARIABLES), name
        assert one["env_file"] == ".env", name
    assert set(REFERENCE.findall(compose["text"])) - {"BIND"} <= offered()
    assert offered() <= set(VARIABLES) | OF_CONTAINERS


def test_commands_and_health_checks_exist(compose):
    [bind] = re.findall(r'"--bind", "([^"]+)"', text("Dockerfile"))
    port = bind.rpartition(":")[2]
    assert instructions("EXPOSE") == [port]
    for name, one in own(compose).items():
        for command in filter(None, (one.get("command"), one.get("healthcheck", {}).get("test", [])[1:])):
            assert command[0] == "python", name
            if command[1] == "-m":
                assert find_spec(command[2]), command
            else:
                assert command[1:4] == ["manage.py", "doctor", "--only"] and set(command[4:]) <= set(CHECKS)
            if command[2] == "ops.launcher.probe":
                assert urlsplit(command[3]).port == int(port)
    published = [port for one in compose["services"].values() for port in one.get("ports", [])]
    assert len(published) == 1 and published[0].endswith(f":{port}")
    assert resolve("/readyz").url_name == "readyz"  # what the probe asks for
    assert (REPOSITORY / re.findall(r'"--config", "([^"]+)"', text("Dockerfile"))[0]).is_file()


def test_images_are_pinned(compose):
    for name, one in compose["services"].items():
        assert "build" in one or PINNED.fullmatch(one["image"]), name
    stages = [line.split(" AS ") for line in instructions("FROM")]
    assert stages and all(PINNED.fullmatch(image) for image, *_ in stages)


def test_no_service_takes_the_memory_of_all(compose):
    for name, one in compose["services"].items():
        assert re.fullmatch(r"\d+[mg]", one["mem_limit"]), name


def test_no_service_has_more_rights_than_it_needs(compose):
    for name, one in own(compose).items():
        assert one["read_only"] and one["cap_drop"] == ["ALL"], name
        assert one["security_opt"] == ["no-new-privileges:true"], name
    [port] = compose["services"]["web"]["ports"]
    assert re.match(r"127\.0\.0\.1:|\$\{BIND:-127\.0\.0\.1\}:", port), "published on this machine alone"
    if "networks" in compose:
        assert compose["networks"]["inside"] == {"internal": True}
        assert all(compose["services"][name]["networks"] == ["inside"] for name in ("postgres", "redis"))
    assert instructions("USER") == ["paragold"]


def test_the_image_is_built_from_files_that_are_sent():
    """`.dockerignore` leaves everything out but what it names."""
    [first, *rules] = text(".dockerignore").split()
    sent = {rule[1:] for rule in rules if rule.startswith("!")}
    assert first == "*" and all((REPOSITORY / name).exists() for name in sent)
    copied = [line.split()[:-1] for line in instructions("COPY") if not line.startswith("--from")]
    for name in {name for names in copied for name in names} - {"."}:
        assert name in sent and not any(fnmatch(name, rule) for rule in rules), name
    compiled = next(line for line in instructions("RUN") if "compileall" in line).split()
    assert set(compiled[compiled.index("-q") + 1 :]) <= sent


def test_the_image_from_a_wheel_runs_the_same():
    own, wheel = text("Dockerfile"), text("docs/examples/Dockerfile")
    assert own[own.index("CMD") :] == wheel[wheel.index("CMD") :]
    assert set(re.findall(r"[A-Z_]+=\S+", wheel)) == set(re.findall(r"[A-Z_]+=\S+", own)) - {
        "PYTHONDONTWRITEBYTECODE=1"
    }


@pytest.mark.parametrize(
    ("unit", "only"), [("paragold.service", []), ("paragold@.service", ["--only", "%i"])]
)
def test_the_units_of_systemd_start_the_program(unit, only):
    content = text(f"docs/examples/systemd/{unit}")
    lines = dict(re.findall("^(ExecStart|Environment)=(.*)", content, re.MULTILINE))
    words = lines["ExecStart"].split()
    assert words == ["/opt/paragold/bin/paragold", "run", *only] and "run" in APPLICATION
    variables = re.findall("^Environment=(.*)", text(f"docs/examples/systemd/{unit}"), re.MULTILINE)[
        0
    ].split()
    assert {one.partition("=")[0] for one in variables} - {"NUMBA_CACHE_DIR"} <= set(VARIABLES)
