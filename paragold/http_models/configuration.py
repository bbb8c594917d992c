"""Which models over HTTP there are: names, addresses, tokens and permitted networks, from the environment.

PARAGOLD_HTTP_MODELS        name=address, several separated by white space; empty: no model is asked
PARAGOLD_HTTP_MODEL_TOKENS  name=token, likewise; PARAGOLD_HTTP_MODEL_TOKENS_FILE names a file of them
PARAGOLD_HTTP_MODEL_NETWORKS  inner networks in which models may be, such as 10.0.0.0/8 127.0.0.1
PARAGOLD_HTTP_MODEL_SECONDS   the time limit of a request, 1 to 240 seconds
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from paragold.fetching.network import Address, IPAddress, is_public, parse_address
from paragold.problems import FileProblem, quoted

MODELS, TOKENS = "PARAGOLD_HTTP_MODELS", "PARAGOLD_HTTP_MODEL_TOKENS"
NETWORKS, SECONDS = "PARAGOLD_HTTP_MODEL_NETWORKS", "PARAGOLD_HTTP_MODEL_SECONDS"
_NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")
_TOKEN = re.compile(r"[!-~]{1,500}")
DEFAULT_SECONDS = 60.0
LONGEST_SECONDS = 240.0
"""A chunk of a job may take 300 seconds."""

IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class HttpModel:
    """A model by its name and the address under which `align`, `score` and `health` are.

    `token` is sent as a bearer token; `networks` are inner networks that its address may lead to; `seconds`
    is the time limit of a request.
    """

    name: str
    address: Address
    token: str = field(default="", repr=False)
    networks: tuple[IPNetwork, ...] = ()
    seconds: float = DEFAULT_SECONDS

    @property
    def host(self) -> str:
        return f"{self.address.host}:{self.address.port}"

    def permits(self, ip: IPAddress) -> bool:
        """Whether requests may go there: to public addresses, and to others that the setting names."""
        return is_public(ip) or any(ip in network for network in self.networks)

    def signature(self, version: str) -> str:
        """What tells the answers of this model and version from all others."""
        return f"http|model:{self.name}|host:{self.host}|version:{version}"


def read_models(environment: Mapping[str, str]) -> dict[str, HttpModel]:
    """The models that the variables name, by name. Raises FileProblem, naming the variable at fault."""
    models = {
        name: HttpModel(name, _address(name, text))
        for name, text in _assignments(MODELS, environment.get(MODELS, "")).items()
    }
    tokens = _assignments(TOKENS, _token_text(environment))
    for name, token in tokens.items():
        if name not in models or not _TOKEN.fullmatch(token):
            raise FileProblem(
                f"{TOKENS}: the token of {quoted(name)} cannot be used.",
                f"Give printable ASCII characters, and a name of {MODELS}.",
            )
    networks = tuple(_network(text) for text in _words(environment.get(NETWORKS, "")))
    seconds = _seconds(environment.get(SECONDS, ""))
    return {
        name: replace(model, token=tokens.get(name, ""), networks=networks, seconds=seconds)
        for name, model in models.items()
    }


@cache
def http_models() -> Mapping[str, HttpModel]:
    """The models of this process's environment. Raises FileProblem as `read_models` does."""
    return read_models(os.environ)


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _assignments(variable: str, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not _NAME.fullmatch(name) or name in found:
            # The word may hold a token.
            raise FileProblem(
                f"{variable}: {quoted(name)} is not a new name with a value.",
                "Write name=value, several separated by spaces; names have up to 30 lower-case letters, "
                "digits and hyphens.",
            )
        found[name] = value
    return found


def _address(name: str, text: str) -> Address:
    if "@" in text:
        raise FileProblem(
            f"{MODELS}: the address of {name} has a user name or password.", f"Give a token in {TOKENS}."
        )
    try:
        address = parse_address(text if text.endswith("/") else f"{text}/")
    except FileProblem as problem:
        raise FileProblem(f"{MODELS}: the address of {name}: {problem.message}", problem.remedy) from problem
    if "?" in address.target:
        raise FileProblem(f"{MODELS}: the address of {name} has a query.", "Leave it out.")
    return address


def _token_text(environment: Mapping[str, str]) -> str:
    path = environment.get(f"{TOKENS}_FILE", "")
    if not path:
        return environment.get(TOKENS, "")
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise FileProblem(f"{TOKENS}_FILE: {path} cannot be read ({error}).", "Correct the path.") from error


def _network(text: str) -> IPNetwork:
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise FileProblem(
            f"{NETWORKS}: {quoted(text)} is not a network.", "Write 10.0.0.0/8 or 127.0.0.1."
        ) from error


def _seconds(text: str) -> float:
    try:
        seconds = float(text or DEFAULT_SECONDS)
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= LONGEST_SECONDS:
        raise FileProblem(f"{SECONDS} is {quoted(text)}.", f"Give seconds from 1 to {LONGEST_SECONDS:g}.")
    return seconds
