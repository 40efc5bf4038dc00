"""A certificate authority that nobody trusts, and a server's certificate from it."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path
from typing import NamedTuple

_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class PrivateCa(NamedTuple):
    """What the openssl command made."""

    certificate: Path
    """Of the authority: what SSL_CERT_FILE should name."""
    server: ssl.SSLContext
    """Serves with a certificate for `names`."""


def private_ca(folder: Path, names: tuple[str, ...]) -> PrivateCa:
    """Make an authority and a certificate for a server with these names, both for one day.

    Args:
        folder: an empty folder for keys and certificates.
        names: alternative names as openssl writes them, e.g. `DNS:model.example`.
    """
    authority = folder / "ca.pem"
    _openssl(
        folder,
        *("req", "-x509", *_NEW_KEY, "-keyout", "ca.key", "-out", authority.name, "-days", "1"),
        *("-subj", "/CN=Private CA", "-addext", "keyUsage=critical,keyCertSign"),
    )
    _openssl(
        folder,
        *("req", "-new", *_NEW_KEY, "-keyout", "server.key", "-out", "server.csr"),
        *("-subj", "/CN=server"),
    )
    (folder / "names").write_text(f"subjectAltName={','.join(names)}", "utf-8")
    _openssl(
        folder,
        *("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key"),
        *("-CAcreateserial", "-out", "server.pem", "-days", "1", "-extfile", "names"),
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return PrivateCa(authority, context)


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)
