"""What a Python user starts: imports PyTorch, makes ResNet-20 and a random batch, trains one step, and prints the
time of day, in seconds, at which that step was done. No torchvision, whose import alone takes half a second."""
import argparse
import pathlib
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "golden/reference"))
from models_cifar import CifarResNet  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    network = CifarResNet(20, 10).train()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4,
                                foreach=True)
    images, labels = torch.randn(128, 3, 32, 32), torch.randint(10, (128,))
    loss = torch.nn.functional.cross_entropy(network(images), labels)
    loss.backward()
    optimizer.step()
    loss.item()
    print(time.time())


if __name__ == "__main__":
    main()
