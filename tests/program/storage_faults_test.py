"""fairlap-worker on storage that fails under it: what happens to the run, and what is said."""
import os
import pathlib
import signal
import subprocess
import time
import unittest

import harness
from harness import PATIENCE_SECONDS, wait_until
from worker_case import WorkerCase, run_config

# Debian's, which its fusepy is for.
PYTHON = "/usr/bin/python3"
PASSTHROUGH = pathlib.Path(__file__).with_name("passthrough_fs.py")
IO_TIMEOUT_SECONDS = 2


def image_folder_config(**problem):
    config = run_config(problem={"dataset": {"format": "imageFolder", "imageSize": 32}, "batchSize": 4,
                                 "stop": {"steps": 1_000_000}, **problem})
    config["software"]["input"]["ioTimeoutSeconds"] = IO_TIMEOUT_SECONDS
    return config


class FaultCase(WorkerCase):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "data"
        made = harness.fairlap("dataset", "generate", "--format=imageFolder", "--classes=2", "--images=40",
                               "--typical-width=64", "--seed=1", f"--out={self.data}")
        self.assertEqual(made.returncode, 0, made.stderr)

    def assert_failed(self, reason, *words):
        """Ends with an outcome, a reason, words of its message, and the figures so far."""
        self.assertEqual(self.end(), 1, self.said())
        summary = self.summary()
        self.assertEqual((summary["outcome"], summary["reason"]), ("failed", reason))
        for word in words:
            self.assertIn(word, summary["message"])
        self.assertEqual(self.rank_report()["summary"], summary)
        return summary


class Files(FaultCase):
    """Each run is in its second epoch or later when its files change, so all of them could be read before."""
    def start_training(self):
        self.start(image_folder_config(), f"--data={self.data}")
        self.wait_for_step(12)

    def change_all(self, change):
        for path in (self.data / "train").rglob("*.jpg"):
            change(path)

    def test_that_vanish_are_named(self):
        self.start_training()
        self.change_all(pathlib.Path.unlink)
        summary = self.assert_failed("InvalidInput", ".jpg: cannot open: No such file or directory")
        self.assertGreaterEqual(summary["figures"]["steps"], 12)

    def test_that_shrink_are_named(self):
        self.start_training()
        self.change_all(lambda path: os.truncate(path, path.stat().st_size // 2))
        self.assert_failed("InvalidInput", ".jpg: ", "truncated")

    def test_that_become_folders_are_named(self):
        def become_folder(path):
            path.unlink()
            path.mkdir()
        self.start_training()
        self.change_all(become_folder)
        self.assert_failed("InvalidInput", ".jpg: cannot read: Is a directory")


@unittest.skipUnless(os.geteuid() == 0 and os.path.exists("/dev/fuse"), "mounting needs root and FUSE")
class HangingMount(FaultCase):
    def setUp(self):
        super().setUp()
        self.mount = self.folder / "mount"
        self.mount.mkdir()
        self.server = subprocess.Popen([PYTHON, PASSTHROUGH, self.data, self.mount])
        self.addCleanup(self.unmount)
        wait_until(self.mount.is_mount, "the mount")

    def unmount(self):
        self.server.send_signal(signal.SIGCONT)
        subprocess.run(["umount", "--lazy", self.mount], check=True)
        self.server.wait(PATIENCE_SECONDS)

    def drop_caches_of_the_mount(self):
        for path in self.mount.rglob("*.jpg"):
            fd = os.open(path, os.O_RDONLY)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)

    def stop_the_server(self):
        self.drop_caches_of_the_mount()
        self.server.send_signal(signal.SIGSTOP)
        return time.monotonic()

    def test_during_an_epoch_ends_the_run_within_the_deadline(self):
        self.start(image_folder_config(), f"--data={self.mount}", "--linger=120")
        self.wait_for_step(12)
        stopped = self.stop_the_server()
        self.wait_for_progress(lambda progress: progress["phase"] == "finished", "the end")
        self.assertLess(time.monotonic() - stopped, 3 * IO_TIMEOUT_SECONDS + 10)
        self.assertIn("fairlap_steps_total", self.get("/metrics"))  # also ends the lingering
        summary = self.assert_failed("IoTimeout", "read ", ".jpg: no answer from the file system for 2 s")
        self.assertGreaterEqual(summary["figures"]["steps"], 12)

    def test_while_indexing_ends_the_run_within_the_deadline(self):
        self.server.send_signal(signal.SIGSTOP)
        self.start(image_folder_config(), f"--data={self.mount}")
        self.assertEqual(self.end(), 1, self.said())
        self.assertEqual(self.summary()["reason"], "IoTimeout")


if __name__ == "__main__":
    unittest.main()
