# confine.py FOLDER PROGRAM [ARGUMENT...]: runs a program that can read everything and write nothing outside of a folder
# (and of devices such as /dev/null), whatever it is told to do. Landlock, a part of the kernel that asks for no rights,
# sees to that.
import ctypes
import errno
import os
import pathlib
import struct
import sys

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the numbers of the system calls, the same on every processor
VERSION, PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
EVERYTHING = ((1 << 13) - 1, (1 << 14) - 1, (1 << 15) - 1)  # that the first versions know, from the first on

libc = ctypes.CDLL(None, use_errno=True)


def call(number, *arguments):
    done = libc.syscall(ctypes.c_long(number), *arguments)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done


def version():
    """Landlock's version; 0 where the kernel has none."""
    try:
        return call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(VERSION))
    except OSError as failure:
        if failure.errno in (errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
            return 0
        raise


def confine(folder):
    everything = EVERYTHING[min(version(), len(EVERYTHING)) - 1]
    handled = struct.pack("=Q", everything)
    rules = call(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), ctypes.c_uint(0))
    allowed = {"/": EXECUTE | READ_FILE | READ_DIR, "/dev": READ_FILE | READ_DIR | WRITE_FILE, str(folder): everything}
    for path, access in allowed.items():
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", access, place)
        call(ADD_RULE, ctypes.c_int(rules), ctypes.c_int(PATH_BENEATH), rule, ctypes.c_uint(0))
        os.close(place)
    if libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    call(RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint(0))
    os.close(rules)


if __name__ == "__main__":
    # Where memory runs out, this is what the system ends.
    pathlib.Path("/proc/self/oom_score_adj").write_text("1000")
    confine(sys.argv[1])
    os.execv(sys.argv[2], sys.argv[2:])
