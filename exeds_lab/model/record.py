"""The base of every record, and content ids."""

from __future__ import annotations

import hashlib

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A frozen value. A change is a new record; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def content_id(*parts: str) -> str:
    """A short stable id of some text: the first 16 hex digits of a SHA-256.

    Used where content is identity: equal parts give equal ids on every machine.
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
