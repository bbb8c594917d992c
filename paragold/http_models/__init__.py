"""Aligners and scorers of other servers, asked over HTTP; docs/models-over-http.md has the protocol."""
