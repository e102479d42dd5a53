"""A stepper that trains nothing and says what it is told to: seconds a step (ten per cent more for steps of a kind),
parameters, and where to write down whose turn it was."""
import json
import sys

name, seconds, parameters, log = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
print("a library's own line")
print(json.dumps({"ready": True, "parameters": parameters, "device": "cpu"}), flush=True)
for line in sys.stdin:
    number, *kind = line.split()
    steps = int(number)
    with open(log, "a") as file:
        file.write(f"{' '.join([name, number, *kind])}\n")
    print(json.dumps({"steps": steps, "seconds": seconds * steps * (1.1 if kind else 1), "peakBytes": 1000,
                      "loss": 1.5 if steps < 1000 else float("nan")}), flush=True)
