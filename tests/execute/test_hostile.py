"""Candidates that do the worst, one after the other against one live kernel.

After each the user's variables, In, Out, the counter, the working folder and more are what they
were, no process is left, and `1+1` still answers.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from live_kernel import LIMITS, QUICK, LiveKernel

from exeds_lab.model.execution import Limits

SETUP = """
import os, sys, time, random, signal, threading, subprocess, warnings, asyncio, gc
import numpy as np, pandas as pd
import matplotlib.pyplot as plt
df = pd.DataFrame({"a": [3, 1, 2], "b": ["x", "y", None], "c": [0.5, 1.5, 2.5]})
big = pd.DataFrame({"x": np.arange(200_000), "y": np.random.rand(200_000)})
arr = np.arange(100_000.0)
nested = {"k": [1, 2, {"deep": [3]}], "s": {1, 2}}
items = [1, 2, 3]
text = "unchanged"
handle = open("data.csv")
_ = handle.readline()
class Thing: pass
"""

RAISED, KILLED, TIMED_OUT, COMPLETED = "raised", "killed", "timed_out", "completed"
ANY = ""

SMALL = LIMITS.model_copy(update={"memory_mb": 300, "timeout_s": 8.0})

HOSTILE: list[tuple[str, str, str, Limits]] = [
    ("an endless loop", "while True: pass", TIMED_OUT, QUICK),
    (
        "a loop that swallows KeyboardInterrupt",
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        TIMED_OUT,
        QUICK,
    ),
    (
        "a loop behind an ignored SIGINT",
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        TIMED_OUT,
        QUICK,
    ),
    (
        "blocked signals and a long sleep",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)); time.sleep(99)",
        TIMED_OUT,
        QUICK,
    ),
    ("a backtracking regex", "import re; re.match('(a+)+$', 'a' * 40 + 'b')", TIMED_OUT, QUICK),
    ("a huge power", "x = 10 ** 10 ** 9", TIMED_OUT, QUICK),
    ("allocating in Python without end", "z = []\nwhile 1: z.append('x' * 10**6)", RAISED, SMALL),
    ("allocating in numpy", "z = [np.ones(10**7) for _ in range(10**6)]", RAISED, SMALL),
    ("one allocation beyond all", "np.ones(10**12)", RAISED, SMALL),
    ("sys.exit", "sys.exit(3)", RAISED, LIMITS),
    ("os._exit", "print('before'); os._exit(3)", KILLED, LIMITS),
    ("exit()", "exit()", ANY, LIMITS),
    ("quit()", "quit()", ANY, LIMITS),
    ("SystemExit", "raise SystemExit", RAISED, LIMITS),
    ("a BaseException", "raise BaseException('b')", RAISED, LIMITS),
    ("a KeyboardInterrupt of its own", "raise KeyboardInterrupt", RAISED, LIMITS),
    ("a GeneratorExit", "raise GeneratorExit", RAISED, LIMITS),
    ("a SIGKILL to itself", "os.kill(os.getpid(), 9)", KILLED, LIMITS),
    ("a SIGTERM to itself", "os.kill(os.getpid(), 15); time.sleep(9)", KILLED, LIMITS),
    ("a SIGSTOP to itself", "os.kill(os.getpid(), signal.SIGSTOP)", TIMED_OUT, QUICK),
    ("a SIGKILL to the kernel", "os.kill(os.getppid(), 9)", RAISED, LIMITS),
    (
        "a SIGKILL to the kernel from a shell",
        "subprocess.run(f'kill -9 {os.getppid()}', shell=True)",
        COMPLETED,
        LIMITS,
    ),
    (
        "a SIGKILL to the kernel through C",
        "import ctypes; ctypes.CDLL(None).kill(os.getppid(), 9)",
        COMPLETED,
        LIMITS,
    ),
    ("killing its process group", "os.killpg(0, 9)", KILLED, LIMITS),
    ("killing everybody", "os.kill(-1, 9)", RAISED, LIMITS),
    ("a segmentation fault", "import ctypes; ctypes.string_at(0)", KILLED, LIMITS),
    ("abort", "os.abort()", KILLED, LIMITS),
    ("faulthandler", "import faulthandler; faulthandler._sigsegv()", KILLED, LIMITS),
    ("a deep recursion", "def f(): return f()\nf()", RAISED, LIMITS),
    (
        "a recursion without a limit",
        "sys.setrecursionlimit(10**9)\ndef f(x): return f([x])\nf(0)",
        ANY,
        SMALL.model_copy(update={"timeout_s": 2.0}),
    ),
    ("closing descriptors", "os.closerange(0, 256)", ANY, LIMITS),
    ("closing all descriptors", "os.closerange(0, 10**6)", ANY, LIMITS),
    ("dup2 over everything", "for fd in range(3, 200): os.dup2(1, fd)", ANY, LIMITS),
    (
        "writing to every descriptor",
        "for fd in range(3, 5000):\n  try: os.write(fd, b'junk' * 99)\n  except OSError: pass",
        ANY,
        LIMITS,
    ),
    ("a flood through print", "s = 'x' * 10**6\nfor _ in range(1000): print(s)", COMPLETED, LIMITS),
    (
        "a flood through the descriptor",
        "b = b'x' * 10**6\nfor _ in range(1000): os.write(1, b)",
        COMPLETED,
        LIMITS,
    ),
    ("a flood of displays", "for i in range(5000): display(i)", COMPLETED, LIMITS),
    ("many small prints", "for i in range(200_000): print(i)", COMPLETED, LIMITS),
    ("input", "input('name? ')", RAISED, LIMITS),
    ("getpass", "import getpass; getpass.getpass()", RAISED, LIMITS),
    ("reading standard input", "sys.stdin.read()", COMPLETED, LIMITS),
    ("the debugger", "breakpoint()", ANY, QUICK),
    ("a fork bomb", "while True: os.fork()", KILLED, QUICK),
    ("a fork that returns", "os.fork(); 7", COMPLETED, LIMITS),
    (
        "a daemon",
        "subprocess.Popen(['sleep', '300'], start_new_session=True); None",
        COMPLETED,
        LIMITS,
    ),
    (
        "a double fork",
        "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(300)\n  os._exit(0)\n5",
        COMPLETED,
        LIMITS,
    ),
    (
        "multiprocessing",
        "import multiprocessing as m\n"
        "with m.get_context('fork').Pool(2) as p: print(p.map(abs, [-1]))",
        COMPLETED,
        LIMITS,
    ),
    (
        "threads that never end",
        "for _ in range(8): threading.Thread(target=time.sleep, args=(300,)).start()",
        COMPLETED,
        LIMITS,
    ),
    ("deleting variables", "del df, arr, items, text", COMPLETED, LIMITS),
    ("clearing the namespace", "globals().clear()", ANY, LIMITS),
    ("dropping a column in place", "df.drop(columns='a', inplace=True)", COMPLETED, LIMITS),
    ("writing into an array", "arr[:] = 0; big.loc[:, 'x'] = 0; items.clear()", COMPLETED, LIMITS),
    ("writing through the values", "df['a'].values[:] = 0", ANY, LIMITS),
    ("changing what is nested", "nested['k'][2]['deep'].append(4)", COMPLETED, LIMITS),
    ("get_ipython().reset()", "get_ipython().reset()", ANY, LIMITS),
    ("%reset -f", "%reset -f", ANY, LIMITS),
    ("clearing In and Out", "In.clear(); Out.clear()", COMPLETED, LIMITS),
    ("the counter", "get_ipython().execution_count = 99", COMPLETED, LIMITS),
    ("clearing sys.modules", "sys.modules.clear()", ANY, LIMITS),
    ("closing figures", "plt.close('all')", COMPLETED, LIMITS),
    ("a figure", "plt.plot([1, 2]); plt.show()", COMPLETED, LIMITS),
    ("seeds", "np.random.seed(1); random.seed(1); np.random.rand()", COMPLETED, LIMITS),
    ("another folder", "os.chdir('/'); os.environ['HOME'] = '/nowhere'", COMPLETED, LIMITS),
    ("%cd", "%cd /", COMPLETED, LIMITS),
    ("removing a file", "os.remove('keep.txt')", ANY, LIMITS),
    ("!rm -rf", "!rm -rf ./*", COMPLETED, LIMITS),
    ("rmtree", "import shutil; shutil.rmtree('.', ignore_errors=True)", ANY, LIMITS),
    ("writing files", "df.to_csv('out.csv'); open('keep.txt', 'w').write('gone')", ANY, LIMITS),
    ("writing to the open file's offset", "handle.seek(0); handle.read()", COMPLETED, LIMITS),
    ("closing the user's file", "handle.close()", COMPLETED, LIMITS),
    ("a connection", "import socket; socket.create_connection(('127.0.0.1', 9))", RAISED, LIMITS),
    ("a server", "import socket; socket.create_server(('127.0.0.1', 0))", RAISED, LIMITS),
    ("warnings", "warnings.filterwarnings('error'); warnings.warn('w')", RAISED, LIMITS),
    ("another sys.stdout", "sys.stdout = open(os.devnull, 'w'); print('x')", COMPLETED, LIMITS),
    ("no sys.stdout", "del sys.stdout, sys.stderr", ANY, LIMITS),
    ("settrace", "sys.settrace(lambda *a: 1 / 0)\ndef f(): pass\nf()", ANY, LIMITS),
    (
        "other builtins",
        "import builtins\nbuiltins.len = builtins.isinstance = builtins.repr = lambda *a: 0",
        ANY,
        QUICK,
    ),
    ("no builtins", "import builtins; vars(builtins).clear()", ANY, LIMITS),
    (
        "an __import__ hook",
        "import builtins; builtins.__import__ = None\nimport json",
        RAISED,
        LIMITS,
    ),
    ("no import paths", "sys.meta_path.clear(); sys.path.clear()", ANY, LIMITS),
    ("gc games", "[o for o in gc.get_objects() if isinstance(o, dict)]; gc.collect()", ANY, LIMITS),
    (
        "emptying every dict",
        "[o.clear() for o in gc.get_objects() if type(o) is dict and o is not globals()]",
        ANY,
        LIMITS,
    ),
    ("atexit", "import atexit; atexit.register(lambda: open('late.txt', 'w'))", COMPLETED, LIMITS),
    ("stopping the loop", "asyncio.get_event_loop().stop()", ANY, LIMITS),
    ("closing the loop", "asyncio.get_event_loop().close()", ANY, LIMITS),
    ("a coroutine that never ends", "await asyncio.sleep(99)", TIMED_OUT, QUICK),
    ("asyncio.run", "asyncio.run(asyncio.sleep(0))", RAISED, LIMITS),
    (
        "an exception that cannot be shown",
        "class E(Exception):\n  def __str__(s): 1/0\nraise E",
        RAISED,
        LIMITS,
    ),
    ("a repr that raises", "class A:\n  def __repr__(s): raise ValueError('r')\nA()", ANY, LIMITS),
    ("a repr that hangs", "class A:\n  def __repr__(s):\n    while 1: pass\nA()", TIMED_OUT, QUICK),
    ("a repr that exits", "class A:\n  def __repr__(s): os._exit(0)\nA()", KILLED, LIMITS),
    ("a huge repr", "list(range(10**7))", COMPLETED, LIMITS),
    ("the shutdown of the kernel", "get_ipython().kernel.do_shutdown(False)", ANY, LIMITS),
    ("the kernel's sockets", "get_ipython().kernel.iopub_socket.close()", ANY, LIMITS),
    (
        "the kernel's session",
        "k = get_ipython().kernel\nk.session.send(k.iopub_socket, 'status', {'state': 'x'})",
        ANY,
        LIMITS,
    ),
    ("the kernel's context", "import zmq; zmq.Context.instance().term()", ANY, QUICK),
    ("empty code", "", COMPLETED, LIMITS),
    ("only comments", "# nothing\n# here", COMPLETED, LIMITS),
    ("not Python", "SELECT * FROM df;", RAISED, LIMITS),
    ("prose", "Here is the code you asked for:", RAISED, LIMITS),
    ("a null byte", "x = 'a\0b'", ANY, LIMITS),
    ("half a surrogate pair", "print('\\ud800'); '\\udfff'", ANY, LIMITS),
    ("unicode junk", "print('\\u202e\\x00\\x1b[31m' * 99)", COMPLETED, LIMITS),
    ("deep nesting", "(" * 500 + ")" * 500, RAISED, LIMITS),
    ("an unknown magic", "%no_such_magic", ANY, LIMITS),
]


@pytest.fixture(scope="module", autouse=True)
def users_state(kernel: LiveKernel) -> dict[str, object]:
    """What the user has made before the first candidate."""
    assert kernel.execute(SETUP)["status"] == "ok"
    assert kernel.execute("df.a.sum()")["status"] == "ok"
    return kernel.digest()


@pytest.mark.parametrize(
    ("code", "outcome", "limits"),
    [pytest.param(code, outcome, limits, id=name) for name, code, outcome, limits in HOSTILE],
)
def test_the_live_kernel_is_as_it_was(
    kernel: LiveKernel, users_state: dict[str, object], code: str, outcome: str, limits: Limits
) -> None:
    execution = kernel.trial(code, limits)

    assert kernel.digest() == users_state
    assert kernel.value("1+1") == 2
    assert processes_in(kernel.cwd) == []
    assert outcome in ("", execution.outcome.outcome), execution.outcome
    assert execution.total_s < limits.timeout_s + 3


def test_there_are_at_least_sixty_of_them() -> None:
    assert len({code for _, code, _, _ in HOSTILE}) >= 60


def processes_in(folder: Path) -> list[str]:
    """Programs left over whose working folder is that of the notebook, or that sleep for long."""
    left = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                where = str((entry / "cwd").readlink())
            except OSError:
                continue
            if where.startswith(str(folder)) and "ipykernel" not in words and words:
                left.append(words)
    return left
