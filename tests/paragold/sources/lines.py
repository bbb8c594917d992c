"""Short ways to write lines of articles and to read them."""

import json
from pathlib import Path
from tempfile import NamedTemporaryFile

from paragold.sources.articles import ArticleReader


def article(key, text="", **more):
    return {"id": key, "text": text or f"The storm {key} hit. It was strong.", **more}


def cluster(key, *articles, **more):
    return json.dumps({"cluster_id": key, "articles": list(articles), **more}, ensure_ascii=False)


def single(cluster_key, key, text="", **more):
    return json.dumps({"cluster_id": cluster_key, **article(key, text, **more)}, ensure_ascii=False)


def read(*lines, encoding="utf-8"):
    return read_bytes("".join(line + "\n" for line in lines).encode(encoding), encoding=encoding)


def read_bytes(data, *, encoding="utf-8"):
    with NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        reader = ArticleReader(Path(file.name), encoding=encoding)
        return list(reader), reader
