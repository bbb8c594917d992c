"""Short ways to write lines of articles and to read them."""

import io
import json

from paragold.sources.article_reader import ArticleReader
from paragold.sources.articles import ClusterRecord


def article(key: str, text: str = "", **more: object) -> dict[str, object]:
    return {"id": key, "text": text or f"The storm {key} hit. It was strong.", **more}


def cluster(key: str, *articles: object, **more: object) -> str:
    return json.dumps({"cluster_id": key, "articles": list(articles), **more}, ensure_ascii=False)


def single(cluster_key: str, key: str, text: str = "", **more: object) -> str:
    return json.dumps({"cluster_id": cluster_key, **article(key, text, **more)}, ensure_ascii=False)


def read(*lines: str, encoding: str = "utf-8") -> tuple[list[ClusterRecord], ArticleReader]:
    return read_bytes("".join(line + "\n" for line in lines).encode(encoding), encoding=encoding)


def read_bytes(data: bytes, *, encoding: str = "utf-8") -> tuple[list[ClusterRecord], ArticleReader]:
    reader = ArticleReader(io.BytesIO(data), encoding=encoding)
    return list(reader), reader
