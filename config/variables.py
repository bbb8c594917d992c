"""Every environment variable that Paragold reads, with its default and meaning.

`manage.py doctor --variables` and the documentation list them from here. Without Django: the launcher reads
some of them before there is any.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    meaning: str
    default: str = ""
    """The value that an unset or empty variable has."""
    unset: str = ""
    """What that means in words, where the default is not a value."""
    secret: bool = False
    """Whether NAME_FILE may name a file with the value instead (`config.environment.secret`)."""


VARIABLES: Mapping[str, Variable] = {
    "PARAGOLD_VAR": Variable(
        "the data folder; a local disk, not a network one, when SQLite is used",
        unset="var/ beside manage.py; of an installed package, the user's data folder",
    ),
    "PARAGOLD_STORAGE": Variable(
        "where uploads, exports, aligners, archives and backups are, for several hosts: "
        "s3://bucket/prefix; needs django-storages[s3]",
        unset="the data folder",
    ),
    "AWS_ACCESS_KEY_ID": Variable("key for that store", unset="as boto3 finds one", secret=True),
    "AWS_SECRET_ACCESS_KEY": Variable("secret of that key", secret=True),
    "AWS_ENDPOINT_URL": Variable(
        "address of an S3-compatible store, such as https://minio.example.org:9000", unset="Amazon's"
    ),
    "PARAGOLD_SECRET_KEY": Variable(
        "signs sessions; a new one logs everyone out",
        unset="the file secret_key in the data folder",
        secret=True,
    ),
    "PARAGOLD_ALLOWED_HOSTS": Variable(
        "allowed host names of the site, separated by commas", "localhost,127.0.0.1,[::1]"
    ),
    "PARAGOLD_TRUSTED_ORIGINS": Variable(
        "other origins that may send forms, separated by commas, such as https://annotate.example.org"
    ),
    "PARAGOLD_HTTPS": Variable("1 behind a proxy with TLS", "0"),
    "PARAGOLD_TRUSTED_PROXIES": Variable(
        "how many proxies in front add to X-Forwarded-For; 0 ignores the header", "0"
    ),
    "PARAGOLD_MAIL": Variable(
        "server that sends mail and so switches password reset on: smtp+tls://user:password@host:587, "
        "smtps:// (port 465), smtp:// (not encrypted) or console (into the log)",
        unset="off",
        secret=True,
    ),
    "PARAGOLD_MAIL_FROM": Variable(
        "sender of mail, such as Paragold <paragold@example.org>; required for PARAGOLD_MAIL"
    ),
    "PARAGOLD_SECOND_FACTOR": Variable(
        "1 lets people protect their account by an authenticator app and passkeys", "0"
    ),
    "PARAGOLD_SESSIONS": Variable("1 shows people where they are logged in, and lets them end it", "0"),
    "PARAGOLD_OIDC_ADDRESS": Variable(
        "address of the OpenID Connect provider for single sign-on, such as https://login.example.org/realm",
        unset="off",
    ),
    "PARAGOLD_OIDC_CLIENT": Variable("client ID that the provider gave to Paragold"),
    "PARAGOLD_OIDC_SECRET": Variable("secret of that client", secret=True),
    "PARAGOLD_OIDC_NAME": Variable("name of the provider on pages", "single sign-on"),
    "PARAGOLD_OIDC_SCOPES": Variable(
        "what the provider is asked for, separated by commas", "openid,profile,email"
    ),
    "PARAGOLD_OIDC_GROUPS": Variable("claim that lists the groups of a person", "groups"),
    "PARAGOLD_OIDC_ROLES": Variable(
        "what groups may do: group=project:role or group=administrator, separated by semicolons; * is all"
    ),
    "PARAGOLD_SAML_METADATA": Variable(
        "metadata of the SAML provider for single sign-on, instead of OpenID Connect: https:// address or "
        "full path of a file; needs the packages of requirements-saml.txt",
        unset="off",
    ),
    "PARAGOLD_SAML_PROVIDER": Variable(
        "entity ID of the provider, where the metadata describes several", unset="the first one"
    ),
    "PARAGOLD_SAML_ENTITY_ID": Variable(
        "entity ID of this installation", unset="address of its metadata, /accounts/sign-on/saml/metadata/"
    ),
    "PARAGOLD_SAML_NAME": Variable("name of the provider on pages", "single sign-on"),
    "PARAGOLD_SAML_ID": Variable(
        "attributes that say who it is, separated by commas; the first that is there, else the NameID",
        "urn:oasis:names:tc:SAML:attribute:subject-id,urn:oasis:names:tc:SAML:attribute:pairwise-id",
    ),
    "PARAGOLD_SAML_USERNAME": Variable(
        "attributes for the name of a new account, separated by commas; the first that is there",
        "uid,username,urn:oid:0.9.2342.19200300.100.1.1,mail,email,urn:oid:0.9.2342.19200300.100.1.3,"
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name",
    ),
    "PARAGOLD_SAML_GROUPS": Variable("attribute that lists the groups of a person", "groups"),
    "PARAGOLD_SAML_ROLES": Variable("what groups may do, written like PARAGOLD_OIDC_ROLES"),
    "PARAGOLD_ACCOUNT_REQUESTS": Variable("requests of one account in a minute; 0 for no limit", "12000"),
    "PARAGOLD_ADDRESS_REQUESTS": Variable(
        "requests of one address in a minute without a login; 0 for no limit", "1200"
    ),
    "PARAGOLD_DEBUG": Variable("1 for development only", "0"),
    "PARAGOLD_BIND": Variable("IP address to listen on", "127.0.0.1"),
    "PORT": Variable("port to listen on", "8000"),
    "PARAGOLD_WEB_WORKERS": Variable("processes of the web server", "2"),
    "PARAGOLD_WEB_THREADS": Variable("threads of each process of the web server", "4"),
    "PARAGOLD_LOCK_SECONDS": Variable(
        "how long a job or command waits for a lock in the database; in the web server, a request (10)", "20"
    ),
    "PARAGOLD_WORKERS": Variable("processes that work on jobs; one more is for short jobs only", "2"),
    "PARAGOLD_LEASE_SECONDS": Variable(
        "seconds after which the work of a silent worker is given to another", "20"
    ),
    "PARAGOLD_HEARTBEAT_SECONDS": Variable("seconds between two heartbeats of a worker", "3"),
    "PARAGOLD_UNDO_DAYS": Variable(
        "days for which what is deleted can be restored; 0 removes it at once", "7"
    ),
    "PARAGOLD_UPGRADE_WITHOUT_BACKUP": Variable(
        "1 lets an upgrade drop tables of what is gone without a backup in backups/ of the data folder", "0"
    ),
    "PARAGOLD_UPLOADS_DAYS": Variable("days after which uploads that were not imported are deleted", "1"),
    "PARAGOLD_EXPORTS_DAYS": Variable(
        "days after which exports are deleted; 0 keeps them until somebody deletes them", "0"
    ),
    "PARAGOLD_LOG_LEVEL": Variable("DEBUG, INFO, WARNING or ERROR", "INFO"),
    "PARAGOLD_LOG_FORMAT": Variable(
        "plain for people; json: an object a line, and a line for each request", "plain"
    ),
    "PARAGOLD_AUDIT_DAYS": Variable("days that entries of the audit log are kept; 0: for ever", "730"),
    "PARAGOLD_METRICS_TOKEN": Variable(
        "token of the program that reads /metrics", unset="there is no such page", secret=True
    ),
    "PARAGOLD_SENTRY_DSN": Variable("where errors are sent; needs sentry-sdk", unset="nowhere"),
    "PARAGOLD_HTTP_MODELS": Variable(
        "addresses of models on servers that may be asked, separated by spaces; the first one suggests links",
        unset="none on the pages; every address for pg.HttpModel",
    ),
    "PARAGOLD_ENCODER": Variable(
        "folder of an encoder of words in context, which `paragold get-encoder` fetches; for aligners, "
        "classifiers and candidate pairs by meaning",
        unset="none",
    ),
    "PARAGOLD_WORDNET": Variable("file of WordNet facts to use", unset="the one that is part of Paragold"),
    "DATABASE_URL": Variable(
        "postgresql://user:password@host:5432/name; PostgreSQL 14 or newer",
        unset="SQLite in the data folder",
        secret=True,
    ),
    "REDIS_URL": Variable(
        "redis://:password@host:6379/0; messages only; no backup needed",
        unset="the Valkey that Paragold starts itself, on a socket in the data folder",
        secret=True,
    ),
}


def value(name: str) -> str:
    """What the environment says, without spaces around it; else the default."""
    return os.environ.get(name, "").strip() or VARIABLES[name].default
