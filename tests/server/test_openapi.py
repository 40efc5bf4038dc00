from __future__ import annotations

from exeds_lab.model import wire
from exeds_lab.server import openapi, operations
from exeds_lab.server.routes import ROUTES


def test_the_committed_document_is_what_the_records_say() -> None:
    assert openapi.main(["--check"]) == 0


def test_the_document_is_the_same_every_time() -> None:
    assert openapi.text() == openapi.text()


def test_every_route_names_records_and_has_its_operation() -> None:
    for route in ROUTES:
        known = operations.STREAMS if route.stream else operations.REPLIES
        assert route.operation in known
        assert route.reply == "Prompt" or hasattr(wire, route.reply)
        assert route.body is None or hasattr(wire, route.body)


def test_every_field_is_required_and_every_reference_leads_somewhere() -> None:
    schemas = openapi.document()["components"]["schemas"]
    for schema in schemas.values():
        assert set(schema.get("required", [])) == set(schema.get("properties", {}))
    text = openapi.text()
    for name in schemas:
        assert f"#/components/schemas/{name}" in text or name == "Provenance"
    for reference in text.split('"#/components/schemas/')[1:]:
        assert reference.split('"')[0] in schemas


def test_tagged_unions_are_components_with_a_discriminator() -> None:
    schemas = openapi.document()["components"]["schemas"]

    tags = {name: schemas[name]["discriminator"]["propertyName"] for name in openapi.UNIONS}
    assert tags == {
        "Difference": "kind",
        "Event": "event",
        "Expected": "kind",
        "Outcome": "outcome",
        "Target": "target",
    }
