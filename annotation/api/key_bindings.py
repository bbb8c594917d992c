"""One's own keys on the annotation pages."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.services.key_bindings import own_keys, save_keys
from annotation.shortcuts import PAGES, all_keys
from projects.api.endpoint import checked_filters
from projects.api.serializers import DictField, StrictSerializer, WholeListSerializer


class KeysSerializer(StrictSerializer):
    page = serializers.ChoiceField(choices=list(PAGES), help_text="Page that the keys are for.")
    keys = DictField(
        max_length=100,
        child=serializers.CharField(max_length=40),
        help_text="Chord of each action, such as Shift+KeyJ; without any the defaults return.",
    )


class BoundActionSerializer(serializers.Serializer[Any]):
    action = serializers.CharField()
    meaning = serializers.CharField()
    keys = serializers.ListField(
        child=serializers.CharField(),
        help_text="Keys of the action, as chords such as Shift+KeyJ or printed characters.",
    )
    own = serializers.BooleanField(help_text="Whether the person chose this key; else it is the default.")


class KeyPageSerializer(serializers.Serializer[Any]):
    page = serializers.CharField()
    actions = BoundActionSerializer(many=True)


class KeyBindingsSerializer(WholeListSerializer):
    items = KeyPageSerializer(many=True)


class KeyBindingsView(APIView):
    """My keys on the annotation pages."""

    @extend_schema(responses=KeyBindingsSerializer)
    def get(self, request: Request) -> Response:
        checked_filters(request)
        return Response({"items": bound_pages(request.user), "next": None})

    @extend_schema(request=KeysSerializer, responses=KeyBindingsSerializer)
    def put(self, request: Request) -> Response:
        body = KeysSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        save_keys(user=cast(User, request.user), **body.validated_data)
        return Response({"items": bound_pages(request.user), "next": None})


def bound_pages(user: Any) -> list[dict[str, Any]]:
    """Every page with keys, its actions in order, and the keys that each has for this user."""
    own = own_keys(user)
    return [
        {
            "page": name,
            "actions": [
                {
                    "action": shortcut.action,
                    "meaning": shortcut.meaning,
                    "keys": all_keys(shortcut, own.get(name, {})),
                    "own": shortcut.action in own.get(name, {}),
                }
                for shortcut in page.shortcuts
            ],
        }
        for name, page in PAGES.items()
    ]
