"""In the fork: what the candidate changed, by name, without reading the data before it ran."""

from __future__ import annotations

import types
from typing import Any

from exeds_lab.kernel import contain, overlay, traces, traces_arrays

_SPECIALS = (traces_arrays.trace_numpy, traces_arrays.trace_torch, traces_arrays.trace_pandas)

_IPYTHON = frozenset(["In", "Out", "exit", "quit", "get_ipython", "open", "display"])


def user_names(shell: Any) -> list[str]:
    """Names that the user made: not IPython's, not modules, none that begins with `_`."""
    hidden = getattr(shell, "user_ns_hidden", {})
    return [
        name
        for name, value in list(shell.user_ns.items())
        if isinstance(name, str)
        and not name.startswith("_")
        and name not in _IPYTHON
        and not (name in hidden and hidden[name] is value)
        and not isinstance(value, types.ModuleType)
    ]


class Before:
    """The user's variables as they were."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self.values: dict[str, Any] = {name: shell.user_ns[name] for name in user_names(shell)}
        tracer = traces.Tracer(_SPECIALS)
        self._traces = {name: tracer.trace(value) for name, value in self.values.items()}

    def effects(self, names: dict[str, Any], containment: contain.Containment) -> dict[str, Any]:
        """Compare with the names as they are now; return Effects as JSON."""
        before = self.values
        kept = [name for name in before if name in names]
        mutated = {name: words for name in kept if (words := self._change(name)) is not None}
        unproven = [n for n in kept if n not in mutated and not self._traces[n].proven]
        return {
            "created": [name for name in user_names(self._shell) if name not in before],
            "rebound": [name for name in kept if names[name] is not before[name]],
            "deleted": [name for name in before if name not in names],
            "mutated": [{"name": name, "how": words} for name, words in mutated.items()],
            "unproven": unproven,
            "variables": len(before),
            "files": _files(containment),
        }

    def _change(self, name: str) -> str | None:
        try:
            return self._traces[name].change()
        except Exception:
            self._traces[name] = traces.Still(proven=False)
            return None


def _files(containment: contain.Containment) -> list[dict[str, str]]:
    changed = [
        {"action": change.action, "what": change.path}
        for change in overlay.changes(containment.layers)
        if not change.path.startswith("/dev/shm/")
    ]
    return changed + [{"action": "vetoed", "what": call} for call in containment.veto.calls]
