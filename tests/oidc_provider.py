"""A small OpenID Connect provider on the loopback: discovery, code flow with PKCE, signed ID tokens.

`python -m tests.oidc_provider --port 8999` runs it for docs/sign-on.md; its login page lists its people.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import json
import secrets
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.processes import served

CLIENT, SECRET = "paragold", "tests-only"
PEOPLE: dict[str, dict[str, Any]] = {
    "ada": {"sub": "1", "preferred_username": "ada", "groups": ["paragold-admins"]},
    "max": {"sub": "2", "preferred_username": "max", "groups": ["team-managers"]},
    "lena": {"sub": "3", "preferred_username": "lena", "groups": ["team"]},
    "otto": {"sub": "4", "preferred_username": "otto", "groups": []},
}


@dataclass
class Provider:
    people: dict[str, dict[str, Any]] = field(default_factory=lambda: json.loads(json.dumps(PEOPLE)))
    person: str = ""
    """Who is logged in there; "": the login page asks."""
    refuses: bool = False
    wrong: dict[str, Any] = field(default_factory=dict)
    """Claims of the ID token that are to be wrong; None: that are missing."""
    keys: list[dict[str, Any]] = field(default_factory=list)
    """Keys that are published beside or instead of its own."""
    userinfo: Any = None
    """What to answer about a person instead."""
    address: str = ""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))

    def discovery(self):
        return {
            "issuer": self.address,
            **{f"{name}_endpoint": f"{self.address}/{name}" for name in ("authorization", "token")},
            "userinfo_endpoint": f"{self.address}/userinfo",
            "jwks_uri": f"{self.address}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def jwks(self):
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": self.keys or [public | {"kid": "1", "use": "sig", "alg": "RS256"}]}

    def code_for(self, person, asked):
        """Where the browser goes with the code."""
        back = {"state": asked["state"]}
        if self.refuses:
            return f"{asked['redirect_uri']}?{urlencode(back | {'error': 'access_denied'})}"
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked | {"person": person}
        return f"{asked['redirect_uri']}?{urlencode(back | {'code': code})}"

    def token(self, given):
        """For a code, once, by the client that asked for it: PKCE and secret are checked."""
        asked = self.codes.pop(given.get("code", ""), None)
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        right = (CLIENT, SECRET, challenge, asked and asked["redirect_uri"])
        sent = (given.get("client_id"), given.get("client_secret"), asked and asked.get("code_challenge"),
                given.get("redirect_uri"))  # fmt: skip
        if asked is None or sent != right:
            return None
        token = secrets.token_urlsafe(16)
        self.tokens[token] = asked["person"]
        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT, "iat": now, "exp": now + 60}
        claims |= {"nonce": asked.get("nonce")} | self.people[asked["person"]] | self.wrong
        claims = {name: value for name, value in claims.items() if value is not None}
        answer = {"access_token": token, "token_type": "Bearer", "expires_in": 60}
        signed = self.sign(claims)
        return answer | {"id_token": signed} if signed else answer

    def sign(self, claims):
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "1"})


def handler_of(provider):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            parts = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if parts.path == "/.well-known/openid-configuration":
                self.answer(provider.discovery())
            elif parts.path == "/jwks":
                self.answer(provider.jwks())
            elif parts.path == "/authorization":
                person = asked.get("person") or provider.person
                if person:
                    self.answer(b"", 302, Location=provider.code_for(person, asked))
                else:
                    query = html.escape(parts.query)
                    links = "".join(
                        f'<p><a href="?{query}&amp;person={name}">{name}</a></p>' for name in provider.people
                    )
                    self.answer(f"<!doctype html><h1>Who are you?</h1>{links}".encode())
            elif parts.path == "/userinfo":
                person = provider.tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
                known = provider.people.get(person or "") if provider.userinfo is None else provider.userinfo
                self.answer(known if person else {}, 200 if person else 401)
            else:
                self.answer({}, 404)

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            token = provider.token({name: values[0] for name, values in parse_qs(body).items()})
            self.answer(token or {"error": "invalid_grant"}, 200 if token else 400)

        def answer(self, content, status=200, **headers):
            page = isinstance(content, bytes)
            body = content if page else json.dumps(content).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "text/html" if page else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    return Handler


@contextmanager
def serving(provider, handler, port):
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    provider.address = f"http://127.0.0.1:{server.server_port}"
    with served(server):
        yield provider


def running(port=0):
    provider = Provider()
    return serving(provider, handler_of(provider), port)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8999)
    with running(parser.parse_args().port) as started:
        print(f"{started.address}, client {CLIENT}, secret {SECRET}", flush=True)  # noqa: T201 - it is a program
        threading.Event().wait()
