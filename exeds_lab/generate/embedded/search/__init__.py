"""Programming by example over pandas and numpy.

Every file here is shipped as text into a fork of the user's kernel (`ship.py` joins them), so it
needs Python 3.9, pandas 1.5, numpy and nothing of ours at run time. It is ordinary Python too,
and is tested as such.
"""
