"""What is measured runs in processes of its own: commands that print one figure, and steppers, which stay alive and
take turns.

A stepper prints {"ready": true, "parameters": N, "device": "cpu"} once model and batch are there. Then, for every
line "N" on its input, it trains N steps and prints {"steps": N, "seconds": s, "peakBytes": b, "loss": l}: the wall
time of those steps, the most memory that it has ever held (VmHWM), the last loss. At the end of its input it ends.
Lines "N KIND" ask for other steps than its usual ones, where it has any.
"""
import json
import math
import os
import selectors
import subprocess

PATIENCE_SECONDS = 600  # for one answer; a stepper that says nothing for so long is broken


def environment():
    """The same for both sides. Without passive waiting the threads of the side whose turn it is not could spin
    for a while after each of its turns."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "OMP_WAIT_POLICY": "passive"}


def last_word(command):
    """Runs a command to its end; the last word that it prints, a number."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment(),
                          timeout=PATIENCE_SECONDS)
    return float(done.stdout.split()[-1])


class Stepper:
    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        bufsize=0, env=environment())
        self.facts = None
        self.peak_bytes = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends it."""
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def wait_until_ready(self):
        """What it says of itself."""
        self.facts = self.answer()
        if self.facts.get("ready") is not True:
            raise RuntimeError(f"{self.command[0]} is not ready: {self.facts}")
        return self.facts

    def turn(self, steps, kind=""):
        """The seconds that these steps took."""
        self.process.stdin.write(f"{steps} {kind}".rstrip().encode() + b"\n")
        said = self.answer()
        if said["steps"] != steps or not math.isfinite(said["loss"]):
            raise RuntimeError(f"{self.command[0]} trained wrongly: {said}")
        self.peak_bytes = said["peakBytes"]
        return said["seconds"]

    def answer(self):
        """The next line that is an object; libraries print lines of their own."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while selector.select(PATIENCE_SECONDS):
                line = self.process.stdout.readline()
                if not line:
                    raise RuntimeError(f"{' '.join(self.command)} ended with status "
                                       f"{self.process.wait()}")
                if line.startswith(b"{"):
                    return json.loads(line)
        raise RuntimeError(f"{self.command[0]} said nothing for {PATIENCE_SECONDS} s")
