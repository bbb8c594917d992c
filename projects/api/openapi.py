"""The OpenAPI document: what it says of every operation alike, and the address that serves it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import get_lib_doc_excludes
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from projects.error_responses import FILES

ERROR = {
    "type": "object",
    "description": "What is wrong and how to correct it, with the invalid fields, each with its messages.",
    "properties": {
        "detail": {"type": "string"},
        "current": {"type": "object", "description": "With 409: what is stored now."},
    },
    "required": ["detail"],
    "additionalProperties": {
        "anyOf": [{"type": "array", "items": {}}, {"type": "object"}],
        "description": "Messages of a field; of a list or an object within it by their places.",
    },
}
KEY_REUSED = "The `Idempotency-Key` came with another request before. Nothing was done."
BUSY = "The disk is full, or the database is busy or does not answer. Try again later."
TOO_LITTLE_ROOM = "The server's disk has too little space for this file."
RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "format": "uuid"},
    "description": "The same request with the same key is carried out once and gets the first answer "
    "again; another request with this key is refused (422). Keys are kept for two days; not for "
    "application/x-ndjson.",
}


def document_operations(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every refusal has one shape (`projects.error_responses`), what makes something takes a key
    (`projects.submissions`), and every field is described; for POSTPROCESSING_HOOKS."""
    result["components"]["schemas"]["Error"] = ERROR
    error = {"$ref": "#/components/schemas/Error"}
    content = {"application/json": {"schema": error}}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            responses = operation["responses"]
            parameters = operation.setdefault("parameters", [])
            if method == "post" and {"201", "202"} & responses.keys():
                parameters.append(KEY)
            if any(parameter["name"] == KEY["name"] for parameter in parameters):
                refused = responses.setdefault("422", {"description": KEY_REUSED, "content": content})
                if refused["content"] is not content:
                    described = refused["content"]["application/json"]
                    described["schema"] = {"anyOf": [described["schema"], error]}
                    refused["description"] = f"The file was refused. Or: {KEY_REUSED}"
            responses.setdefault("4XX", {"description": "Refused.", "content": content})
            responses["503"] = {"description": BUSY, "headers": RETRY_AFTER, "content": content}
            sent = operation.get("requestBody", {}).get("content", {})
            if path.endswith("uploads/") or any(kind in sent for kind in FILES):
                responses["507"] = {"description": TOO_LITTLE_ROOM, "content": content}
    describe(result)
    return result


@cache
def classes_without_description() -> list[type]:
    """Bases whose docstrings say nothing of one request or answer; for GET_LIB_DOC_EXCLUDES."""
    from .serializers import RowSerializer, SpecSerializer, StrictSerializer, WholeListSerializer

    return [*get_lib_doc_excludes(), RowSerializer, SpecSerializer, StrictSerializer, WholeListSerializer]


class SchemaView(SpectacularAPIView):
    """Serves the document, which takes seconds to make and does not change: once in a process and format."""

    made: ClassVar[dict[str, Any]] = {}

    @extend_schema(exclude=True)
    def get(self, request: Request, *arguments: Any, **kwargs: Any) -> HttpResponse:
        renderer: Any = request.accepted_renderer
        if renderer.media_type not in self.made:
            document = SchemaGenerator().get_schema(public=True)
            self.made[renderer.media_type] = renderer.render(document, renderer_context={})
        return HttpResponse(
            self.made[renderer.media_type],
            content_type=f"{renderer.media_type}; charset=utf-8",
            headers={"Content-Disposition": f'inline; filename="Paragold.{renderer.format}"'},
        )


FIELDS: dict[str, str] = {
    # Names, numbers and times
    "id": "Number of the object in this installation.",
    "name": "Name by which people know it, unique among the project's objects of this kind.",
    "slug": "Short name of the project in addresses.",
    "title": "Title in plain text.",
    "Job.title": "What the job does, in words.",
    "number": "Its number in the list, from 1.",
    "version": "Counts the changes; each change raises it by one.",
    "signature": "Method, version, parameters and seed that the figures rest on, as one line.",
    "sha256": "SHA-256 of the file, in hexadecimal.",
    "bytes": "Size of the file in bytes.",
    "seed": "Random seed. The same seed makes the same random choices again.",
    "created_at": "When it was created, in UTC.",
    "archived_at": "When it was archived, in UTC; null while it is not.",
    "deleted_at": "When it was put into the bin, in UTC; null for what is archived alone.",
    "deleted_by": "User name of the person who put it there; null where the account is gone.",
    "frozen_at": "When it was frozen, in UTC.",
    "imported_at": "When it was imported, in UTC; null before that.",
    "imported_by": "User name of the person who imported it.",
    "requested_at": "When it was asked for, in UTC.",
    "decided_at": "When it was decided, in UTC.",
    "finished_at": "When the job ended, in UTC; null before that.",
    "expiry": "Until when the token is valid, in UTC; null for one that does not expire.",
    "published": "When the article was published, as its source says; empty if unknown.",
    "created": "When it was made, in UTC.",
    "at": "When the answer was given, in UTC; null while it is open.",
    "seconds": "Seconds of work.",
    "milliseconds": "How long the item was on the screen before it was answered, in milliseconds.",
    "filename": "Name of the file, as it was uploaded or is downloaded.",
    "encoding": "Character encoding of the file, such as utf-8 or windows-1252.",
    "detail": "What is wrong and what to do about it, in words.",
    "message": "What is wrong, in words.",
    "remedy": "What to do about it, in words.",
    "column": "Column of the line, from 1; null where it is not known.",
    "meaning": "What it does, in words.",
    "kind": "Of which kind it is.",
    "state": "How far it is.",
    "error": "Why the job failed, in words; empty if it did not.",
    # Lists
    "items": "Rows of this page of the list.",
    "used_by": "Objects that refer to it and have to be deleted first.",
    "action": "Name of the action.",
    "actions": "Actions of the page that have a key.",
    "page": "Page that the keys are for.",
    "current": "What is stored now.",
    # People
    "username": "User name of the person.",
    "password": "Password of the account.",
    "token": "Sent with each request in the header Authorization, as `Token` and this text.",
    "role": "What the person may do in the project.",
    "roles": "Roles of the caller in the project.",
    "annotators": "Annotators by their pseudonyms.",
    "annotator": "Pseudonym of the annotator; it stays the same throughout the project.",
    "url": "Web address; empty if unknown.",
    "QueueBatch.project": "Project of the batch.",
    "language": "BCP 47 tag of the text, such as en, de or pt-BR.",
    "scheme": "Labels that annotators choose from: binary, or three-way with partial paraphrases.",
    "overlap": "How many annotators answer each item: 1 to 20.",
    # What a row belongs to
    "batch": "Number of the batch.",
    "dataset": "Number of the dataset.",
    "gold_set": "Number of the gold set, of judged pairs or of links.",
    "gold_sets": "Numbers of the gold links on which each aligner is scored.",
    "classifier": "Number of the classifier.",
    "job": "Number of the job that makes it; null if none does.",
    "item": "Number of the item.",
    "pair": "Number of the candidate pair.",
    "assignment": "Number of the annotator's assignment, in the addresses of answers.",
    "article": "Key of the article.",
    "Sentence.article": "Number of the article.",
    "cluster": "Key of the cluster.",
    "cluster_id": "Key of the cluster.",
    "corpus_import": "Number of the import that the pairs came with; null for drawn pairs.",
    "trained": "Number of the trained aligner.",
    "lexicon": "Number of the word association lexicon; null without one.",
    "run": "Run of the classifier.",
    "batches": "Numbers of the batches.",
    "datasets": "Numbers of the datasets.",
    "extractions": "Numbers of the extractions.",
    "refined": "Numbers of the datasets that the accepted pairs were frozen as.",
    "refined_from": "Number of the dataset that a classifier refined to this one; null for others.",
    "articles": "How many articles it has.",
    "size": "How many pairs there are.",
    # Texts and words
    "text": "The text as it was imported.",
    "tokens": "Words of the sentence, in order.",
    "starts": "Where each word begins in the text, in characters from 0.",
    "direction": "Direction of writing: ltr or rtl.",
    "paragraph": "Number of the paragraph in its article, from 1.",
    "source": "Where the article was published.",
    "key": "Key of the object in the imported file.",
    "a": "First sentence.",
    "b": "Second sentence.",
    "DisputedLink.a": "Token of the first sentence, from 0.",
    "DisputedLink.b": "Token of the second sentence, from 0.",
    "SuggestionReason.b": "Token of the second sentence, from 0.",
    "before": "Sentences of the article before this one.",
    "after": "Sentences of the article after this one.",
    "Item.headlines": "Headlines of the cluster, in the order shown.",
    "SubclusterReview.headlines": "Headlines of the cluster, in the order shown.",
    "formats": "Formats of the files in the export.",
    "manifest": "Files of the export, each with its size and SHA-256; null before it is done.",
    "notes": "What is worth knowing about the file though it is valid, in words.",
    "problems": "Errors of the file, each with line, column and remedy.",
    "counts": "Counts by name.",
    # Answers
    "label": "Label of the pair; null without one.",
    "comment": "Comment in plain text; empty for none.",
    "comments": "Comments of the annotators, in their order; empty for none.",
    "flagged": "Whether the person flagged the item for discussion.",
    "SubclusterReview.flagged": "Whether each annotator flagged the cluster, in their order.",
    "skipped": "Whether the annotator skipped the item.",
    "submitted": "Whether the answer is complete and handed in; else it is a draft.",
    "links": "Links, each as [token of the first sentence, token of the second, sure or possible], from 0.",
    "Item.suggestions": "Links that the suggester proposes; they count only once accepted.",
    "null_a": "Words of the first sentence that have no counterpart, from 0.",
    "null_b": "Words of the second sentence that have no counterpart, from 0.",
    "placements": "Each as [headline, group], both from 1; group null is no group.",
    "phenomena": "How many instances of each phenomenon the pair has.",
    "elaboration": "How many elaborations: one sentence says more.",
    "phrasal": "How many phrasal changes: other phrases say the same.",
    "spelling": "How many differences of spelling.",
    "synonymy": "How many words are replaced by synonyms.",
    "anaphora": "How many pronouns or other references replace a name or noun.",
    "reordering": "How many parts of the sentence have changed places.",
    "votes": "Answers of the annotators.",
    "adjudication": "Decision of the adjudicator; null without one.",
    "adjudicated": "Whether an adjudicator decided it.",
    "disputed": "Whether annotators disagree on it.",
    "LinkReview.disputed": "Links that not all annotators drew alike.",
    "SubclusterReview.disputed": "Headlines on whose groups annotators disagree, from 1.",
    "agreed": "Links that all annotators drew alike.",
    "basis": "Versions of the answers that the decision rests on, to be sent with it.",
    "decision": "Decision on the item; null without one.",
    "partitions": "Groups of headlines of each annotator, in their order.",
    "subclusters": "Groups of headlines, by their numbers from 1; the others are in no group.",
    "SubclusterReview.shared": "Groups that all annotators made.",
    "rule": "Rule by which answers become gold.",
    "handing_out": "Whether items are assigned when the batch is drawn or when people ask for the next one.",
    "fewest": "Minimum number of headlines of a cluster.",
    "most": "Maximum number of headlines of a cluster.",
    "again": "Whether clusters of earlier batches may be drawn again.",
    # Progress
    "progress": "How far the answers are.",
    "scope": "Whose answers are counted: those of everybody (batch) or of the caller (own).",
    "total": "How many there are in all.",
    "done": "How many are done.",
    "rate": "Units of work a second; null before it is known.",
    "seconds_left": "Expected seconds until the end; null before they are known.",
    "interrupted": "Whether its worker ended; another one takes over soon.",
    "waiting_behind": "Jobs that keep all workers busy while this one waits.",
    # Figures
    "tables": "Trainings and their scores, a table for each set of gold links.",
    "agreement": "Figures of agreement.",
    "classes": "Feature classes that the classifier uses.",
    "words": "Words on whose links annotators disagree most.",
    "scores": "Precision, recall and AER with intervals, 0 to 1, for all, identical and other words.",
    "figures": "Results of training and cross-validation.",
    "held_out": "Whether the cluster is held out for testing.",
    "Dataset.held_out": "Which clusters the pairs are from: all, only the held-out ones, or the rest.",
    "criteria": "Values of the criteria by name.",
    "parameters": "Values of the parameters by name.",
    "preset": "Name of the preset.",
    "strengths": "Which links count.",
    "DisputedLink.strengths": "Strength that each annotator gave the link; null for no link.",
    "aligner": "Name of the aligner in the registry.",
    "aligners": "Aligners to train, each with its parameters.",
    "new_gold_pairs": "How many gold pairs were added since it was trained.",
    "iterations": "Log-likelihood after each iteration of training.",
    "learning_curve": "AER after training on more and more gold pairs; null without gold links.",
}


def describe(document: dict[str, Any]) -> None:
    """Add what FIELDS says to properties without a description, and a summary to each operation."""
    for schema_name, schema in document["components"]["schemas"].items():
        for name, field in schema.get("properties", {}).items():
            text = FIELDS.get(f"{schema_name}.{name}") or FIELDS.get(name)
            if text is None or "description" in field:
                continue
            if "$ref" in field:  # beside a reference nothing else counts
                field["allOf"] = [{"$ref": field.pop("$ref")}]
            field["description"] = text
    for operations in document["paths"].values():
        for operation in operations.values():
            sentence = re.split(r"\.(?:\s|$)", operation["description"])[0]
            operation["summary"] = " ".join(sentence.split())
