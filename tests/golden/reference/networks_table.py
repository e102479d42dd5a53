#!/usr/bin/env python3
"""Prints what lib/models/networks.cc says of every network, computed from models.py: parameters, and multiply-adds
of one image's forward pass in training mode (convolutions and fully connected layers, auxiliary heads included) at
the published size."""
import torch
from torch import nn

from models import MODELS, parameter_count

BATCH = 2  # Inception's auxiliary head cannot normalise a single value


def multiply_adds(network, channels, size):
    """Outputs x multiplications each, over every convolution and fully connected layer that runs."""
    total = 0

    def count(module, _, output):
        nonlocal total
        total += output.numel() // BATCH * (module.weight.numel() // module.weight.shape[0])

    for module in network.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)):
            module.register_forward_hook(count)
    network(torch.zeros(BATCH, channels, size, size))
    return total


def main():
    with torch.device("meta"):  # shapes alone, no values
        for name, model in MODELS.items():
            network = model.make(model.classes).train()
            adds = multiply_adds(network, model.channels, model.size)
            print(f"{name:12} {model.size:4} px {parameter_count(network):12,} parameters "
                  f"{adds:15,} multiply-adds")


if __name__ == "__main__":
    main()
