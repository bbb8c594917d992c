import base64
import json
import os
import subprocess
import sys
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from paragold.formats.publishing import build_manifest, described_file, manifest_text
from tests.processes import served

ROOT = Path(__file__).resolve().parents[3]
FILES = {
    "README.md": "---\nlicense: cc0-1.0\n---\n# Dams\n",
    "LICENSE": "SPDX-License-Identifier: CC0-1.0\n",
    "CITATION.cff": "cff-version: 1.2.0\n",
    "croissant.json": "{}\n",
    "train/pairs.parquet": "PAR1",
}


@pytest.fixture
def export(tmp_path):
    folder = tmp_path / "export"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    describe(folder, list(FILES))
    (folder / "private-notes.txt").write_text("not part of the export")
    return folder


def describe(folder, names):
    manifest = build_manifest(
        {name: described_file(folder / name) for name in names}, counts={}, signatures={}
    )
    (folder / "manifest.json").write_text(manifest_text(manifest), encoding="utf-8")


class Hub(ThreadingHTTPServer):
    """What is asked of it, by address without the host, and the files of its commits."""

    def __init__(self, refuses):
        super().__init__(("127.0.0.1", 0), Answers)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.refuses = refuses
        self.asked = {}
        self.tokens = set()
        self.files = {}


class Answers(BaseHTTPRequestHandler):
    server: Hub

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.server.tokens.add(self.headers["Authorization"])
        answer = {}
        if self.server.refuses:
            return self._send(403, {"error": "This token cannot write."})
        lines = [json.loads(line) for line in body.splitlines()]
        self.server.asked[self.path] = lines[0]
        if self.path == "/api/repos/create":
            answer = {"url": f"{self.server.address}/datasets/{lines[0]['organization']}/{lines[0]['name']}"}
        elif "/preupload/" in self.path:
            regular = {"uploadMode": "regular", "shouldIgnore": False}
            answer = {"files": [{"path": one["path"], **regular} for one in lines[0]["files"]]}
        elif "/commit/" in self.path:
            for line in lines[1:]:
                self.server.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
            answer = {"commitUrl": f"{self.server.address}/datasets/me/dams/commit/1", "commitOid": "1"}
        return self._send(200, answer)

    def _send(self, status, answer):
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def hub(request):
    with served(Hub(refuses=getattr(request, "param", False))) as server:
        yield server


def publish(hub, tmp_path, *arguments):
    """As a user starts it, with the Hub's address and a token in the environment."""
    own = {"HF_ENDPOINT": hub.address, "HF_TOKEN": "hf_of_ann", "HF_HOME": str(tmp_path), "NO_PROXY": "*"}
    command = [sys.executable, "-m", "paragold", "publish", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, **own}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("packed", [False, True])
def test_the_files_are_uploaded_by_the_users_token(paragold, hub, export, tmp_path, packed):
    given = export
    if packed:
        given = tmp_path / "export.zip"
        with zipfile.ZipFile(given, "w") as archive:
            for name in [*FILES, "manifest.json"]:
                archive.write(export / name, name)
    said = paragold("publish", given, "--to", "me/dams").out
    assert {line.split()[-1] for line in said.splitlines()[:-2]} == {*FILES, "manifest.json"}
    assert "Nothing was uploaded" in said
    done = publish(hub, tmp_path, given, "--to", "me/dams", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert hub.files == {name: (export / name).read_bytes() for name in [*FILES, "manifest.json"]}
    assert hub.tokens == {"Bearer hf_of_ann"}
    created = hub.asked["/api/repos/create"]
    assert (created["name"], created["type"], created["visibility"]) == ("dams", "dataset", "private")
    assert f"Uploaded to {hub.address}/datasets/me/dams" in done.stdout


def test_what_is_not_ready_is_refused(refused, export, tmp_path, monkeypatch):
    monkeypatch.delenv("HF_TOKEN", raising=False)
    assert "Set HF_TOKEN" in refused("publish", export, "--to", "me/dams", "--yes")
    assert "no manifest.json" in refused("publish", tmp_path, "--to", "me/dams")
    (export / "train" / "pairs.parquet").write_text("changed")
    assert "train/pairs.parquet was changed" in refused("publish", export, "--to", "me/dams")
    describe(export, ["README.md", "train/pairs.parquet"])
    assert "LICENSE, CITATION.cff, croissant.json missing" in refused("publish", export, "--to", "me/dams")
    manifest = json.loads((export / "manifest.json").read_text())
    manifest["files"] = {"../secret": {"sha256": "0"}}
    (export / "manifest.json").write_text(json.dumps(manifest))
    assert "not a path inside the data set" in refused("publish", export, "--to", "me/dams")
