"""Inception v3 (Szegedy et al. 2015, arXiv:1512.00567) with its auxiliary head, as torchvision has it."""
import torch
from torch import nn
from torch.nn import functional


class Unit(nn.Module):
    """Convolution, normalisation, ReLU."""

    def __init__(self, inputs, outputs, kernel, stride=1, padding=0):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False)
        self.bn = nn.BatchNorm2d(outputs, eps=0.001)

    def forward(self, x):
        return functional.relu(self.bn(self.conv(x)), inplace=True)


def average(x):
    return functional.avg_pool2d(x, 3, 1, 1)


class InceptionA(nn.Module):
    def __init__(self, inputs, pool):
        super().__init__()
        self.branch1x1 = Unit(inputs, 64, 1)
        self.branch5x5_1 = Unit(inputs, 48, 1)
        self.branch5x5_2 = Unit(48, 64, 5, padding=2)
        self.branch3x3dbl_1 = Unit(inputs, 64, 1)
        self.branch3x3dbl_2 = Unit(64, 96, 3, padding=1)
        self.branch3x3dbl_3 = Unit(96, 96, 3, padding=1)
        self.branch_pool = Unit(inputs, pool, 1)

    def forward(self, x):
        return torch.cat([
            self.branch1x1(x),
            self.branch5x5_2(self.branch5x5_1(x)),
            self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))),
            self.branch_pool(average(x))], 1)


class InceptionB(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.branch3x3 = Unit(inputs, 384, 3, 2)
        self.branch3x3dbl_1 = Unit(inputs, 64, 1)
        self.branch3x3dbl_2 = Unit(64, 96, 3, padding=1)
        self.branch3x3dbl_3 = Unit(96, 96, 3, 2)

    def forward(self, x):
        return torch.cat([
            self.branch3x3(x),
            self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x))),
            functional.max_pool2d(x, 3, 2)], 1)


class InceptionC(nn.Module):
    def __init__(self, inputs, c):
        super().__init__()
        row, column = {"kernel": (1, 7), "padding": (0, 3)}, {"kernel": (7, 1), "padding": (3, 0)}
        self.branch1x1 = Unit(inputs, 192, 1)
        self.branch7x7_1 = Unit(inputs, c, 1)
        self.branch7x7_2 = Unit(c, c, **row)
        self.branch7x7_3 = Unit(c, 192, **column)
        self.branch7x7dbl_1 = Unit(inputs, c, 1)
        self.branch7x7dbl_2 = Unit(c, c, **column)
        self.branch7x7dbl_3 = Unit(c, c, **row)
        self.branch7x7dbl_4 = Unit(c, c, **column)
        self.branch7x7dbl_5 = Unit(c, 192, **row)
        self.branch_pool = Unit(inputs, 192, 1)

    def forward(self, x):
        y = self.branch7x7dbl_3(self.branch7x7dbl_2(self.branch7x7dbl_1(x)))
        return torch.cat([
            self.branch1x1(x),
            self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x))),
            self.branch7x7dbl_5(self.branch7x7dbl_4(y)),
            self.branch_pool(average(x))], 1)


class InceptionD(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.branch3x3_1 = Unit(inputs, 192, 1)
        self.branch3x3_2 = Unit(192, 320, 3, 2)
        self.branch7x7x3_1 = Unit(inputs, 192, 1)
        self.branch7x7x3_2 = Unit(192, 192, (1, 7), padding=(0, 3))
        self.branch7x7x3_3 = Unit(192, 192, (7, 1), padding=(3, 0))
        self.branch7x7x3_4 = Unit(192, 192, 3, 2)

    def forward(self, x):
        y = self.branch7x7x3_2(self.branch7x7x3_1(x))
        return torch.cat([
            self.branch3x3_2(self.branch3x3_1(x)),
            self.branch7x7x3_4(self.branch7x7x3_3(y)),
            functional.max_pool2d(x, 3, 2)], 1)


class InceptionE(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.branch1x1 = Unit(inputs, 320, 1)
        self.branch3x3_1 = Unit(inputs, 384, 1)
        self.branch3x3_2a = Unit(384, 384, (1, 3), padding=(0, 1))
        self.branch3x3_2b = Unit(384, 384, (3, 1), padding=(1, 0))
        self.branch3x3dbl_1 = Unit(inputs, 448, 1)
        self.branch3x3dbl_2 = Unit(448, 384, 3, padding=1)
        self.branch3x3dbl_3a = Unit(384, 384, (1, 3), padding=(0, 1))
        self.branch3x3dbl_3b = Unit(384, 384, (3, 1), padding=(1, 0))
        self.branch_pool = Unit(inputs, 192, 1)

    def forward(self, x):
        y = self.branch3x3_1(x)
        z = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        return torch.cat([
            self.branch1x1(x),
            self.branch3x3_2a(y), self.branch3x3_2b(y),
            self.branch3x3dbl_3a(z), self.branch3x3dbl_3b(z),
            self.branch_pool(average(x))], 1)


class InceptionAux(nn.Module):
    def __init__(self, inputs, classes):
        super().__init__()
        self.conv0 = Unit(inputs, 128, 1)
        self.conv1 = Unit(128, 768, 5)
        self.fc = nn.Linear(768, classes)

    def forward(self, x):
        x = self.conv1(self.conv0(functional.avg_pool2d(x, 5, 3)))
        return self.fc(torch.flatten(functional.adaptive_avg_pool2d(x, 1), 1))


class InceptionV3(nn.Module):
    MIXED = (("Mixed_5b", InceptionA, 192, 32), ("Mixed_5c", InceptionA, 256, 64),
             ("Mixed_5d", InceptionA, 288, 64), ("Mixed_6a", InceptionB, 288),
             ("Mixed_6b", InceptionC, 768, 128), ("Mixed_6c", InceptionC, 768, 160),
             ("Mixed_6d", InceptionC, 768, 160), ("Mixed_6e", InceptionC, 768, 192))
    LAST = (("Mixed_7a", InceptionD, 768), ("Mixed_7b", InceptionE, 1280),
            ("Mixed_7c", InceptionE, 2048))

    def __init__(self, classes):
        super().__init__()
        self.Conv2d_1a_3x3 = Unit(3, 32, 3, 2)
        self.Conv2d_2a_3x3 = Unit(32, 32, 3)
        self.Conv2d_2b_3x3 = Unit(32, 64, 3, padding=1)
        self.Conv2d_3b_1x1 = Unit(64, 80, 1)
        self.Conv2d_4a_3x3 = Unit(80, 192, 3)
        for name, block, *arguments in self.MIXED:
            setattr(self, name, block(*arguments))
        self.AuxLogits = InceptionAux(768, classes)
        for name, block, *arguments in self.LAST:
            setattr(self, name, block(*arguments))
        self.dropout = nn.Dropout(0.5)
        self.fc = nn.Linear(2048, classes)

    def forward(self, x):
        x = self.Conv2d_2b_3x3(self.Conv2d_2a_3x3(self.Conv2d_1a_3x3(x)))
        x = self.Conv2d_3b_1x1(functional.max_pool2d(x, 3, 2))
        x = functional.max_pool2d(self.Conv2d_4a_3x3(x), 3, 2)
        for name, *_ in self.MIXED:
            x = getattr(self, name)(x)
        auxiliary = self.AuxLogits(x) if self.training else None
        for name, *_ in self.LAST:
            x = getattr(self, name)(x)
        x = torch.flatten(self.dropout(functional.adaptive_avg_pool2d(x, 1)), 1)
        logits = self.fc(x)
        return (logits, auxiliary) if self.training else logits
