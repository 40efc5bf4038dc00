"""What is wrong on the way to a server: names, connections, proxies, certificates, silence."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

from exeds_lab.generate.failure import (
    Asked,
    Failure,
    broken_stream,
    failure,
    proxy_refused,
    quoted,
)


def from_transport(error: Exception, asked: Asked) -> Failure:
    """The failure that an exception below HTTP means."""
    causes = tuple(_causes(error))
    names = {type(cause).__name__ for cause in causes}
    if "ConnectTimeout" in names:
        return _unreachable("did not answer", asked)
    if names & {"APITimeoutError", "ReadTimeout", "WriteTimeout", "PoolTimeout"}:
        return _silent(asked)
    if "ProxyError" in names:
        return proxy_refused(quoted(str(causes[-1]), asked.endpoint), asked.endpoint)
    for cause in causes:
        if (told := _from_cause(cause, asked)) is not None:
            return told
    if "ConnectError" in names:
        return _unreachable("refuses the connection", asked)
    return broken_stream("the connection was closed", asked)


def _from_cause(cause: BaseException, asked: Asked) -> Failure | None:
    match cause:
        case ssl.SSLCertVerificationError():
            return _untrusted(cause, asked)
        case ssl.SSLError():
            return _no_tls(cause, asked)
        case socket.gaierror():
            return _no_name(asked)
        case ConnectionRefusedError():
            return _unreachable("refuses the connection", asked)
        case ConnectionResetError() | BrokenPipeError():
            return broken_stream("the connection was closed", asked)
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what caused it, and so on; groups are walked too."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _causes(inner)
        error = error.__cause__ or error.__context__


def _silent(asked: Asked) -> Failure:
    return failure(
        f"{asked.endpoint.host} sent nothing for {asked.timeout_s:g} s.",
        "Try again, or raise the timeout: a large local model may need minutes for its first word.",
        "timeout",
        retryable=True,
    )


def _unreachable(what: str, asked: Asked) -> Failure:
    if asked.endpoint.proxy:
        return failure(
            f"The proxy {asked.endpoint.proxy} {what}.",
            "Correct HTTP_PROXY and HTTPS_PROXY, or name the model's host in NO_PROXY.",
            "proxy",
            retryable=True,
        )
    hint = "Start the model's server" if asked.endpoint.is_loopback else "Check that it is running"
    return failure(
        f"{asked.endpoint.host} {what}.",
        f"{hint}, and check scheme, host and port of the base URL.",
        "connect",
        retryable=True,
    )


def _no_name(asked: Asked) -> Failure:
    if asked.endpoint.proxy:
        return failure(
            f"The name of the proxy {asked.endpoint.proxy} is not known.",
            "Correct HTTP_PROXY and HTTPS_PROXY, or name the model's host in NO_PROXY.",
            "proxy",
        )
    return failure(
        f"The name {asked.endpoint.host} is not known.",
        "Check the spelling of the base URL and the network connection of this machine; behind a "
        "company's proxy set HTTPS_PROXY.",
        "dns",
        retryable=True,
    )


def _untrusted(error: ssl.SSLCertVerificationError, asked: Asked) -> Failure:
    return failure(
        f"The certificate of {asked.endpoint.host} is not trusted ({error.verify_message}).",
        "If your company or server has a CA of its own, set SSL_CERT_FILE to its certificates "
        "(PEM) and restart.",
        "tls",
    )


def _no_tls(error: ssl.SSLError, asked: Asked) -> Failure:
    plain = error.reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE")
    return failure(
        f"{asked.endpoint.host} and this machine agree on no encryption ({error.reason}).",
        "Write http:// in the base URL if the server has no certificate."
        if plain
        else "Check what listens at this host and port, and SSL_CERT_FILE.",
        "tls",
    )
