"""Write `schema/openapi.json` from the route table and the records.

    python -m exeds_lab.server.openapi > schema/openapi.json
    python -m exeds_lab.server.openapi --check

The output is the same to the byte for the same records. Every field is required (optional is
`X | None`, always present), and every tagged union is a component of its own, so that the
generated TypeScript can switch on it by name.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from exeds_lab.model import attempt, execution, spec, wire
from exeds_lab.server.routes import NAMESPACE, ROUTES, Route

SCHEMA_FILE = Path(__file__).parents[2] / "schema" / "openapi.json"
"""Where the committed copy lies in a source tree."""

UNIONS: dict[str, Any] = {
    "Difference": execution.Difference,
    "Event": wire.Event,
    "Expected": spec.Expected,
    "Outcome": execution.Outcome,
    "Target": spec.Target,
}
"""Tagged unions that get a name of their own."""

EXTRA = (attempt.Provenance,)
"""Records of the wire that no route names: what a cell keeps in its metadata."""

_REF = "#/components/schemas/{model}"


class _EverythingRequired(GenerateJsonSchema):
    """The wire has no optional fields, so tags with a default are required too."""

    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,  # noqa: ARG002 pydantic's signature
        total: bool,  # noqa: ARG002 pydantic's signature
    ) -> bool:
        return True

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 pydantic's signature
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        inner: JsonSchemaValue = self.generate_inner(schema["schema"])
        return inner


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "exeds-lab",
            "version": "1",
            "description": "What the panel and the server of exeds-lab say to each other.",
        },
        "paths": {_url(route): {route.method.lower(): _operation(route)} for route in ROUTES},
        "components": {"schemas": _schemas()},
    }


def text() -> str:
    """The document as it is committed."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def _url(route: Route) -> str:
    return "/" + "/".join((*NAMESPACE, route.path))


def _ref(name: str) -> dict[str, str]:
    return {"$ref": _REF.format(model=name)}


def _operation(route: Route) -> dict[str, Any]:
    media = "text/event-stream" if route.stream else "application/json"
    operation: dict[str, Any] = {"operationId": route.operation, "summary": route.summary}
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _ref(route.body)}},
        }
    operation["responses"] = {
        "200": {"description": route.summary, "content": {media: {"schema": _ref(route.reply)}}},
        "default": {
            "description": "A failure with its reason and next step.",
            "content": {"application/json": {"schema": _ref("Problem")}},
        },
    }
    return operation


def _schemas() -> dict[str, Any]:
    mode: JsonSchemaMode = "serialization"
    names = {name for route in ROUTES for name in (route.body, route.reply) if name}
    records = [getattr(wire, name) for name in sorted(names - UNIONS.keys())]
    inputs: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (record.__name__, mode, TypeAdapter(record)) for record in (*records, *EXTRA)
    ]
    inputs += [(name, mode, TypeAdapter(union)) for name, union in UNIONS.items()]
    tops, definitions = TypeAdapter.json_schemas(
        inputs, ref_template=_REF, schema_generator=_EverythingRequired
    )
    unions = {name: tops[name, mode] for name in UNIONS}
    found = definitions["$defs"]
    for schema in (*found.values(), *unions.values()):
        _name_unions(schema, unions)
    return dict(sorted((found | unions).items()))


def _name_unions(schema: Any, unions: dict[str, Any]) -> None:
    """Replace every copy of a union inside `schema` by a reference to its name."""
    if isinstance(schema, list):
        children: list[tuple[Any, Any]] = list(enumerate(schema))
    elif isinstance(schema, dict):
        children = list(schema.items())
    else:
        return
    for key, child in children:
        name = _union_name(child, unions)
        if name is None:
            _name_unions(child, unions)
        else:
            kept = {"description": child["description"]} if "description" in child else {}
            schema[key] = _ref(name) | kept


def _union_name(schema: Any, unions: dict[str, Any]) -> str | None:
    if not isinstance(schema, dict) or "oneOf" not in schema:
        return None
    return next((n for n, union in unions.items() if union["oneOf"] == schema["oneOf"]), None)


def main(arguments: list[str]) -> int:
    """Print the document, or with `--check` compare it with the committed one.

    Returns:
        The exit code: 1 when the committed document is not up to date.
    """
    if arguments != ["--check"]:
        sys.stdout.write(text())
        return 0
    if SCHEMA_FILE.is_file() and SCHEMA_FILE.read_text(encoding="utf-8") == text():
        return 0
    sys.stderr.write(
        "schema/openapi.json is not what the records say. "
        "Run: python -m exeds_lab.server.openapi > schema/openapi.json\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
