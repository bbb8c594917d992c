"""A small SAML identity provider on the loopback: metadata, HTTP-Redirect, signed assertions by HTTP-POST.

`python -m tests.saml_provider --port 8998` runs it for docs/sign-on.md; its login page lists its people. It
needs the extra `saml`.
"""

from __future__ import annotations

import argparse
import base64
import html
import json
import secrets
import threading
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from defusedxml.ElementTree import fromstring
from onelogin.saml2.utils import OneLogin_Saml2_Utils

from .oidc_provider import PEOPLE, serving

URN = "urn:oasis:names:tc:SAML:2.0:"
PERSISTENT = f"{URN}nameid-format:persistent"
TRANSIENT = f"{URN}nameid-format:transient"
XMLNS = f'xmlns:samlp="{URN}protocol" xmlns:saml="{URN}assertion"'


def new_key():
    """A key and its certificate, as PEM."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests only")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    certificate = made.not_valid_before(now).not_valid_after(now + timedelta(1)).sign(key, hashes.SHA256())
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private.decode(), certificate.public_bytes(serialization.Encoding.PEM).decode()


def at(seconds):
    return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def attribute(name, values):
    inside = "".join(f"<saml:AttributeValue>{escape(value)}</saml:AttributeValue>" for value in values)
    return f'<saml:Attribute Name="{name}">{inside}</saml:Attribute>'


@dataclass
class SamlProvider:
    people: dict[str, dict[str, Any]] = field(default_factory=lambda: json.loads(json.dumps(PEOPLE)))
    address: str = "http://127.0.0.1"
    name_format: str = PERSISTENT
    seconds: int = 60
    """How long an assertion is valid from now on."""
    key: tuple[str, str] = field(default_factory=new_key)

    def metadata(self):
        certificate = "".join(self.key[1].splitlines()[1:-1])
        return f"""<md:EntityDescriptor xmlns:md="{URN}metadata" entityID="{self.address}/">
          <md:IDPSSODescriptor protocolSupportEnumeration="{URN}protocol">
            <md:KeyDescriptor use="signing">
              <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
                <ds:X509Data><ds:X509Certificate>{certificate}</ds:X509Certificate></ds:X509Data>
              </ds:KeyInfo>
            </md:KeyDescriptor>
            <md:SingleSignOnService Binding="{URN}bindings:HTTP-Redirect" Location="{self.address}/sign-on"/>
          </md:IDPSSODescriptor>
        </md:EntityDescriptor>"""

    def answer(self, asked, person, **changed):
        """Where the answer to the request (the parameter SAMLRequest) is posted, and its SAMLResponse.

        `changed` has other values for request (its ID), audience, issuer and destination.
        """
        request = fromstring(zlib.decompress(base64.b64decode(asked), -15))
        there = request.get("AssertionConsumerServiceURL")
        values = {
            "request": request.get("ID"),
            "audience": request.find(f"{{{URN}assertion}}Issuer").text,
            "issuer": f"{self.address}/",
            "destination": there,
        } | changed
        claims = self.people[person]
        issuer = f"<saml:Issuer>{values['issuer']}</saml:Issuer>"
        issued = f'ID="_{secrets.token_hex(16)}" Version="2.0" IssueInstant="{at(0)}"'
        expires = f'NotOnOrAfter="{at(self.seconds)}"'
        assertion = f"""<saml:Assertion {XMLNS} {issued}>
            {issuer}
            <saml:Subject>
              <saml:NameID Format="{self.name_format}">{claims["sub"]}</saml:NameID>
              <saml:SubjectConfirmation Method="{URN}cm:bearer">
                <saml:SubjectConfirmationData {expires} Recipient="{values["destination"]}"
                  InResponseTo="{values["request"]}"/>
              </saml:SubjectConfirmation>
            </saml:Subject>
            <saml:Conditions NotBefore="{at(-3600)}" {expires}>
              <saml:AudienceRestriction>
                <saml:Audience>{values["audience"]}</saml:Audience>
              </saml:AudienceRestriction>
            </saml:Conditions>
            <saml:AuthnStatement AuthnInstant="{at(0)}">
              <saml:AuthnContext>
                <saml:AuthnContextClassRef>{URN}ac:classes:Password</saml:AuthnContextClassRef>
              </saml:AuthnContext>
            </saml:AuthnStatement>
            <saml:AttributeStatement>
              {attribute("uid", [claims["preferred_username"]])}
              {attribute("groups", claims["groups"])}
            </saml:AttributeStatement>
          </saml:Assertion>"""
        signed = OneLogin_Saml2_Utils.add_sign(assertion, *self.key).decode()
        response = f"""<samlp:Response {XMLNS} {issued.replace('"_', '"_r', 1)}
          Destination="{values["destination"]}" InResponseTo="{values["request"]}">
            {issuer}
            <samlp:Status><samlp:StatusCode Value="{URN}status:Success"/></samlp:Status>
            {signed[signed.index("<saml:Assertion") :]}
          </samlp:Response>"""
        return there, base64.b64encode(response.encode()).decode()


def handler_of(provider):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            parts = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if parts.path == "/metadata":
                self.send(provider.metadata(), "application/samlmetadata+xml")
            elif "person" in asked:
                there, answer = provider.answer(asked["SAMLRequest"], asked["person"])
                self.send(
                    f'<!doctype html><form method="post" action="{html.escape(there)}"><input type="hidden" '
                    f'name="SAMLResponse" value="{answer}"><button>Continue</button></form>'
                )
            else:
                query = html.escape(parts.query)
                links = "".join(
                    f'<p><a href="?{query}&amp;person={name}">{name}</a></p>' for name in provider.people
                )
                self.send(f"<!doctype html><h1>Who are you?</h1>{links}")

        def send(self, text, kind="text/html"):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *args):
            pass

    return Handler


def running(port=0):
    provider = SamlProvider()
    return serving(provider, handler_of(provider), port)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8998)
    with running(parser.parse_args().port) as started:
        print(f"{started.address}/metadata", flush=True)  # noqa: T201 - it is a program
        threading.Event().wait()
