"""PyTorch's Python front end training ResNet-20 on synthetic batches: images per second, printed as the
last line. The same work as ours_training_step.py; the network is the one that the reference losses
come from."""
import argparse
import pathlib
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "golden/reference"))
from make_losses import resnet20  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--warmup-steps", type=int, default=20)
    parser.add_argument("--steps", type=int, default=120)
    arguments = parser.parse_args()

    torch.manual_seed(1)
    torch.set_num_threads(arguments.threads)
    network = resnet20().train()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4,
                                foreach=True)
    images = torch.randn(arguments.batch, 3, 32, 32)
    labels = torch.randint(10, (arguments.batch,))
    start = None
    for step in range(arguments.warmup_steps + arguments.steps):
        if step == arguments.warmup_steps:
            start = time.perf_counter()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(images), labels)
        loss.backward()
        optimizer.step()
        loss.item()
    print(arguments.batch * arguments.steps / (time.perf_counter() - start))


if __name__ == "__main__":
    main()
