"""Which models over HTTP there are, from the environment; docs/models-over-http.md lists the variables."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from paragold.http_models.network import Address, IPAddress, is_public, parse_address
from paragold.problems import FileProblem, located, quoted

MODELS, TOKENS = "PARAGOLD_HTTP_MODELS", "PARAGOLD_HTTP_MODEL_TOKENS"
NETWORKS, SECONDS = "PARAGOLD_HTTP_MODEL_NETWORKS", "PARAGOLD_HTTP_MODEL_SECONDS"
# A chunk of a job may take 300 seconds.
LONGEST_SECONDS = 240.0
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class HttpModel:
    """A model: the address below which its paths are, its bearer token, the inner networks in which it may
    be, and the seconds that a request may take."""

    name: str
    address: Address
    token: str = field(default="", repr=False)
    networks: tuple[IPNetwork, ...] = ()
    seconds: float = 60.0

    @property
    def host(self) -> str:
        return f"{self.address.host}:{self.address.port}"

    def permits(self, ip: IPAddress) -> bool:
        """Whether requests may go there: to public addresses, and to inner ones that the setting names."""
        return is_public(ip) or any(ip in network for network in self.networks)

    def signature(self, version: str) -> str:
        """The signature of the answers of this model and version."""
        return f"http|model:{self.name}|host:{self.host}|version:{version}"


def read_models(environment: Mapping[str, str]) -> dict[str, HttpModel]:
    """The models that the variables name, by name. Raises FileProblem, naming the variable at fault."""
    addresses = _assignments(MODELS, environment.get(MODELS, ""), r"[^\s@?]+")
    token_text = environment.get(TOKENS, "")
    try:
        if path := environment.get(f"{TOKENS}_FILE"):
            token_text = Path(path).read_text(encoding="utf-8")
        networks = tuple(map(ipaddress.ip_network, environment.get(NETWORKS, "").replace(",", " ").split()))
        seconds = float(environment.get(SECONDS) or 60)
    except (OSError, ValueError) as error:
        raise FileProblem(f"{TOKENS}_FILE, {NETWORKS} or {SECONDS}: {error}.", "Correct it.") from error
    if not 1 <= seconds <= LONGEST_SECONDS:
        raise FileProblem(f"{SECONDS} is {seconds:g}.", f"Give seconds from 1 to {LONGEST_SECONDS:g}.")
    tokens = _assignments(TOKENS, token_text, r"[!-~]+")
    if unknown := tokens.keys() - addresses.keys():
        raise FileProblem(f"{TOKENS}: there is no model {min(unknown)}.", f"Name it in {MODELS}.")
    models = {}
    for name, text in addresses.items():
        with located(file=f"{MODELS}, {name}"):
            address = parse_address(text.rstrip("/") + "/")
        models[name] = HttpModel(name, address, tokens.get(name, ""), networks, seconds)
    return models


def _assignments(variable: str, text: str, value: str) -> dict[str, str]:
    assignments: dict[str, str] = {}
    for word in text.split():
        name = word.partition("=")[0]
        if name in assignments or not re.fullmatch(rf"[a-z][a-z0-9-]{{0,29}}={value}", word):
            raise FileProblem(
                f"{variable}: {quoted(name)} is not a new name with a value that can be used.",
                "Write name=value, several separated by spaces; names have up to 30 lower-case letters, "
                "digits and hyphens, addresses neither user name nor query.",
            )
        assignments[name] = word.partition("=")[2]
    return assignments


@cache
def http_models() -> Mapping[str, HttpModel]:
    """The models of this process's environment. Raises FileProblem as `read_models` does."""
    return read_models(os.environ)
