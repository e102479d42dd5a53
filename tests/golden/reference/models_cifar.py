"""The CIFAR residual networks and CARE, from the papers. No torchvision: importing it takes half a second, which
the benchmark of starting up would charge to Python."""
import torch
from torch import nn
from torch.nn import functional

from models_plain import convolution


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
            shortcut = functional.pad(
                x[:, :, ::2, ::2], (0, 0, 0, 0, self.added // 2, self.added // 2))
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + shortcut)


def stages(block, blocks, widths):
    """Three sequences of `blocks` blocks, each block made from (inputs, width); what a stage gives is `widths` x
    the block's expansion wide."""
    inputs = 16
    for width in widths:
        stage = []
        for _ in range(blocks):
            stage.append(block(inputs, width))
            inputs = width * getattr(block, "expansion", 1)
        yield nn.Sequential(*stage)


class CifarResNet(nn.Module):
    """He et al. 2015, arXiv:1512.03385, section 4.2: depth 6n + 2, shortcuts by option A."""

    def __init__(self, depth, classes):
        super().__init__()
        self.conv1 = convolution(3, 16, 3)
        self.bn1 = nn.BatchNorm2d(16)
        self.layer1, self.layer2, self.layer3 = stages(BasicBlock, (depth - 2) // 6, (16, 32, 64))
        self.fc = nn.Linear(64, classes)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        x = self.layer3(self.layer2(self.layer1(x)))
        return self.fc(x.mean((2, 3)))


class PreActivationBottleneck(nn.Module):
    expansion = 4

    def __init__(self, inputs, channels):
        super().__init__()
        outputs = 4 * channels
        stride = 2 if inputs == 2 * channels else 1  # a later stage's first block: 2x as wide, half as large
        self.bn1 = nn.BatchNorm2d(inputs)
        self.conv1 = convolution(inputs, channels, 1)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv2 = convolution(channels, channels, 3, stride)
        self.bn3 = nn.BatchNorm2d(channels)
        self.conv3 = convolution(channels, outputs, 1)
        self.shortcut = convolution(inputs, outputs, 1, stride) if inputs != outputs else None

    def forward(self, x):
        active = torch.relu(self.bn1(x))
        shortcut = x if self.shortcut is None else self.shortcut(active)
        y = self.conv1(active)
        y = self.conv2(torch.relu(self.bn2(y)))
        return self.conv3(torch.relu(self.bn3(y))) + shortcut


class CifarResNetV2(nn.Module):
    """He et al. 2016, arXiv:1603.05027: pre-activation bottlenecks, depth 9n + 2."""

    def __init__(self, depth, classes):
        super().__init__()
        self.conv1 = convolution(3, 16, 3)
        self.layer1, self.layer2, self.layer3 = stages(
            PreActivationBottleneck, (depth - 2) // 9, (16, 32, 64))
        self.bn = nn.BatchNorm2d(256)
        self.fc = nn.Linear(256, classes)

    def forward(self, x):
        x = self.layer3(self.layer2(self.layer1(self.conv1(x))))
        return self.fc(torch.relu(self.bn(x)).mean((2, 3)))


class Care2d(nn.Module):
    """Weigert et al. 2018: CSBDeep's 2-D U-Net of depth 2 with 16 base filters, whose last layer gives what is to
    be added to the image."""

    LAYERS = (("down0_0", 1, 16), ("down0_1", 16, 16), ("down1_0", 16, 32), ("down1_1", 32, 32),
              ("middle0", 32, 64), ("middle1", 64, 32), ("up1_0", 64, 32), ("up1_1", 32, 16),
              ("up0_0", 32, 16), ("up0_1", 16, 16))

    def __init__(self):
        super().__init__()
        for name, inputs, outputs in self.LAYERS:
            setattr(self, name, nn.Conv2d(inputs, outputs, 3, padding=1))
        self.final = nn.Conv2d(16, 1, 1)

    def two(self, x, first, second):
        return torch.relu(getattr(self, second)(torch.relu(getattr(self, first)(x))))

    def forward(self, images):
        skip0 = self.two(images, "down0_0", "down0_1")
        skip1 = self.two(functional.max_pool2d(skip0, 2), "down1_0", "down1_1")
        x = self.two(functional.max_pool2d(skip1, 2), "middle0", "middle1")
        x = torch.cat([functional.interpolate(x, scale_factor=2, mode="nearest"), skip1], 1)
        x = self.two(x, "up1_0", "up1_1")
        x = torch.cat([functional.interpolate(x, scale_factor=2, mode="nearest"), skip0], 1)
        return images + self.final(self.two(x, "up0_0", "up0_1"))
