# Runs Python programs one after the other; see interpreter.ts.
import contextlib
import io
import json
import os
import runpy
import sys
import traceback

for line in sys.stdin:
    program = json.loads(line)
    os.chdir(program["folder"])
    os.environ.update(program["env"])
    printed = io.StringIO()
    reply = {}
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(program["file"], run_name="__main__")
        except BaseException:
            reply["failure"] = traceback.format_exc()
    print(json.dumps({"printed": printed.getvalue(), **reply}), flush=True)
