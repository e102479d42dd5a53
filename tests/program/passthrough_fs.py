"""A read-only FUSE file system that shows another folder: a network file system's server that a test can stop.
  passthrough_fs.py FOLDER MOUNT_POINT"""
import os
import sys

import fusepy as fuse


class Passthrough(fuse.Operations):
    def __init__(self, folder):
        self.folder = folder

    def path(self, path):
        return self.folder + path

    def getattr(self, path, fh=None):
        status = os.lstat(self.path(path))
        return {name: getattr(status, name) for name in
                ("st_mode", "st_nlink", "st_size", "st_uid", "st_gid", "st_atime", "st_mtime", "st_ctime")}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.path(path))]

    def open(self, path, flags):
        return os.open(self.path(path), flags)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def release(self, path, fh):
        os.close(fh)


if __name__ == "__main__":
    # One thread: what is asked while it is stopped is not taken off the queue, as with a server that is gone.
    fuse.FUSE(Passthrough(os.path.abspath(sys.argv[1])), sys.argv[2], foreground=True, nothreads=True, ro=True)
