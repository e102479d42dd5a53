#!/usr/bin/env python3
"""Writes losses.json: the losses of ten training steps of PyTorch's Python front end, against which
reference_test.cc holds the worker's training loop.

    python3 tests/golden/reference/make_losses.py

needs the torch wheel (with the libraries that its Python side loads) and numpy. The networks are
written down here from the papers a second time, independently of worker/model. Weights, images and
labels come from one formula that the C++ test has as well (Uniform, below), so nothing but the losses
is stored.
"""
import json
import pathlib

import numpy
import torch
from torch import nn

STEPS = 10
FIRST_IMAGE_STREAM = 1_000_000  # streams below are parameters, in the order of parameters()
FIRST_LABEL_STREAM = 2_000_000


def split_mix(stream, count):
    """SplitMix64's output function of (stream << 32) + index, for the first `count` indices."""
    with numpy.errstate(over="ignore"):
        z = numpy.arange(count, dtype=numpy.uint64) + numpy.uint64(stream << 32)
        z = (z + numpy.uint64(1)) * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return z ^ (z >> numpy.uint64(31))


def uniform(stream, shape):
    """Floats in [-1, 1), exact in single precision."""
    bits = split_mix(stream, int(numpy.prod(shape))) >> numpy.uint64(40)
    values = bits.astype(numpy.float32) / numpy.float32(2**23) - numpy.float32(1)
    return torch.from_numpy(values.reshape(shape))


def initialise(network, last_norm):
    """Convolutions: uniform with variance 2 / fan-in; the fully connected layer: within 1 /
    sqrt(fan-in); normalisations and biases: near 1 and 0, but the last normalisation of a block near
    1/8. Without that, ten steps amplify the last bit of an instruction set's own rounding to a
    hundredth of the loss, and the comparison would say more about the CPU than about the program."""
    with torch.no_grad():
        for stream, (name, parameter) in enumerate(network.named_parameters()):
            noise = uniform(stream, parameter.shape)
            if parameter.dim() > 1:
                fan_in = parameter.numel() // parameter.shape[0]
                square = (1.0 if parameter.dim() == 2 else 6.0) / fan_in
                parameter.copy_(noise * float(numpy.float32(numpy.sqrt(square))))
            elif name.endswith("weight"):
                center = 0.125 if last_norm in name else 1.0
                parameter.copy_(center + noise * 0.125)
            else:
                parameter.copy_(noise * 0.125)


def convolution(inputs, outputs, kernel, stride=1):
    return nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, inputs, channels):
        super().__init__()
        self.added = channels - inputs
        self.conv1 = convolution(inputs, channels, 3, 2 if self.added else 1)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = convolution(channels, channels, 3)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x):
        shortcut = x
        if self.added:
            shortcut = nn.functional.pad(
                x[:, :, ::2, ::2], (0, 0, 0, 0, self.added // 2, self.added // 2))
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + shortcut)


class Bottleneck(nn.Module):
    def __init__(self, inputs, channels, stride):
        super().__init__()
        self.conv1 = convolution(inputs, channels, 1)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = convolution(channels, channels, 3, stride)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = convolution(channels, 4 * channels, 1)
        self.bn3 = nn.BatchNorm2d(4 * channels)
        self.downsample = None
        if stride != 1 or inputs != 4 * channels:
            self.downsample = nn.Sequential(
                convolution(inputs, 4 * channels, 1, stride), nn.BatchNorm2d(4 * channels))

    def forward(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        y = torch.relu(self.bn1(self.conv1(x)))
        y = torch.relu(self.bn2(self.conv2(y)))
        return torch.relu(self.bn3(self.conv3(y)) + shortcut)


class ResNet(nn.Module):
    def __init__(self, stem, stages, features, classes):
        super().__init__()
        self.conv1, self.bn1, self.pool = stem
        for i, stage in enumerate(stages):
            setattr(self, f"layer{i + 1}", nn.Sequential(*stage))
        self.stages = len(stages)
        self.fc = nn.Linear(features, classes)

    def forward(self, x):
        x = self.pool(torch.relu(self.bn1(self.conv1(x))))
        for i in range(self.stages):
            x = getattr(self, f"layer{i + 1}")(x)
        return self.fc(x.mean((2, 3)))


def resnet20():
    """He et al. 2015, section 4.2, n = 3, shortcuts by option A."""
    stages, inputs = [], 16
    for channels in (16, 32, 64):
        stage = []
        for _ in range(3):
            stage.append(BasicBlock(inputs, channels))
            inputs = channels
        stages.append(stage)
    stem = (convolution(3, 16, 3), nn.BatchNorm2d(16), nn.Identity())
    return ResNet(stem, stages, 64, 10)


def resnet50():
    """He et al. 2015, table 1, the stride in the 3x3 convolution."""
    stages, inputs = [], 64
    for channels, blocks in ((64, 3), (128, 4), (256, 6), (512, 3)):
        stage = []
        for i in range(blocks):
            stage.append(Bottleneck(inputs, channels, 2 if i == 0 and channels > 64 else 1))
            inputs = 4 * channels
        stages.append(stage)
    stem = (convolution(3, 64, 7, 2), nn.BatchNorm2d(64), nn.MaxPool2d(3, 2, 1))
    return ResNet(stem, stages, 2048, 1000)


def ten_losses(network, classes, batch, size, learning_rate, last_norm):
    initialise(network, last_norm)
    network.train()
    optimizer = torch.optim.SGD(
        network.parameters(), lr=learning_rate, momentum=0.9, weight_decay=1e-4)
    losses = []
    for step in range(STEPS):
        # sqrt(3): unit variance.
        images = uniform(FIRST_IMAGE_STREAM + step, (batch, 3, size, size)) * float(
            numpy.float32(numpy.sqrt(3.0)))
        labels = torch.from_numpy(
            (split_mix(FIRST_LABEL_STREAM + step, batch) % numpy.uint64(classes)).astype(
                numpy.int64))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


CASES = {
    "resnet20v1": (resnet20, {"classes": 10, "batch": 16, "size": 32, "learning_rate": 0.05,
                              "last_norm": "bn2"}),
    "resnet50": (resnet50, {"classes": 1000, "batch": 8, "size": 64, "learning_rate": 0.003,
                            "last_norm": "bn3"}),
}


def main():
    torch.set_num_threads(2)
    document = {"torch": torch.__version__, "numpy": numpy.__version__, "networks": {}}
    for name, (make, sizes) in CASES.items():
        network = make()
        parameters = sum(p.numel() for p in network.parameters())
        losses = ten_losses(network, **sizes)
        document["networks"][name] = {"parameters": parameters, **sizes, "losses": losses}
        print(name, parameters, losses)
    path = pathlib.Path(__file__).with_name("losses.json")
    path.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
