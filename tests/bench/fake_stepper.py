"""A stepper that trains nothing and says what it is told to: seconds a step, parameters, and where to write down
whose turn it was."""
import json
import sys

name, seconds, parameters, log = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
print("a library's own line")
print(json.dumps({"ready": True, "parameters": parameters, "device": "cpu"}), flush=True)
for line in sys.stdin:
    steps = int(line)
    with open(log, "a") as file:
        file.write(f"{name} {steps}\n")
    print(json.dumps({"steps": steps, "seconds": seconds * steps, "peakBytes": 1000,
                      "loss": 1.5 if steps < 1000 else float("nan")}), flush=True)
