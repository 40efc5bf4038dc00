"""How many tokens a text has, estimated without a tokenizer.

Real tokenizers differ and would have to be downloaded. Byte-pair encoders of current code models
share a shape, which is counted here instead:

- a run of ASCII letters costs one token per started 6 letters, its leading blank included;
- digits cost one token each (Qwen and Llama split numbers, others group up to three);
- every other ASCII sign costs one token;
- a line break with the indentation behind it costs one token;
- a character outside ASCII costs one token, outside the basic plane two.

The estimate is meant to be high rather than low: a budget that holds here holds there.
"""

from __future__ import annotations

import re

_LETTERS_PER_TOKEN = 6
_PIECES = re.compile(r"[A-Za-z]+|\n[ \t]*|[ \t]+|.", re.DOTALL)


def estimate(text: str) -> int:
    """The estimated number of tokens of `text`."""
    return sum(_cost(piece) for piece in _PIECES.findall(text))


def _cost(piece: str) -> int:
    first = piece[0]
    if first.isascii() and first.isalpha():
        return -(-len(piece) // _LETTERS_PER_TOKEN)
    if first in " \t":
        return 0 if len(piece) == 1 else 1
    return 1 if ord(first) < 0x10000 else 2
