"""Aligners and scorers of other servers, over HTTP; docs/models-over-http.md has the protocol."""
