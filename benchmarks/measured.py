"""`python measured.py COMMAND…`: one process from its start to its end, as JSON: wall seconds, CPU seconds, peak MiB, exit code.

It loads next to nothing: what a system calls the peak of a process may be that of the process that started it.
"""

import json
import os
import sys
import time

begin = time.perf_counter()
nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
started = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=nowhere)
_, status, used = os.wait4(started, 0)
wall = time.perf_counter() - begin
in_mebibytes = 1 << 20 if sys.platform == "darwin" else 1 << 10
figures = {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "mebibytes": used.ru_maxrss / in_mebibytes}
print(json.dumps({**figures, "code": os.waitstatus_to_exitcode(status)}))
