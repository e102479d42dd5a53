"""AlexNet, VGG-16, Inception v3 and the bottleneck ResNets as torchvision has them, for machines without it: the
same parameters under the same names."""
import torch
from torch import nn
from torch.nn import functional


def convolution(inputs, outputs, kernel, stride=1):
    return nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)


class Plain(nn.Module):
    """AlexNet and VGG: features, a pool to a fixed size, a classifier."""

    def __init__(self, features, pooled, classifier):
        super().__init__()
        self.features = nn.Sequential(*features)
        self.avgpool = nn.AdaptiveAvgPool2d(pooled)
        self.classifier = nn.Sequential(*classifier)

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


def alexnet(classes):
    """Krizhevsky 2014, arXiv:1404.5997."""
    features = []
    for inputs, outputs, kernel, stride, padding, pool in (
            (3, 64, 11, 4, 2, True), (64, 192, 5, 1, 2, True), (192, 384, 3, 1, 1, False),
            (384, 256, 3, 1, 1, False), (256, 256, 3, 1, 1, True)):
        features += [nn.Conv2d(inputs, outputs, kernel, stride, padding), nn.ReLU(inplace=True)]
        features += [nn.MaxPool2d(3, 2)] if pool else []
    classifier = [nn.Dropout(), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(inplace=True), nn.Dropout(),
                  nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Linear(4096, classes)]
    return Plain(features, 6, classifier)


def vgg16(classes):
    """Simonyan and Zisserman 2014, arXiv:1409.1556, table 1, D."""
    features, inputs = [], 3
    for outputs, layers in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(layers):
            features += [nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(inplace=True)]
            inputs = outputs
        features.append(nn.MaxPool2d(2, 2))
    classifier = [nn.Linear(512 * 7 * 7, 4096), nn.ReLU(True), nn.Dropout(),
                  nn.Linear(4096, 4096), nn.ReLU(True), nn.Dropout(), nn.Linear(4096, classes)]
    return Plain(features, 7, classifier)


class Bottleneck(nn.Module):
    def __init__(self, inputs, channels, stride):
        super().__init__()
        self.conv1 = convolution(inputs, channels, 1)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = convolution(channels, channels, 3, stride)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = convolution(channels, 4 * channels, 1)
        self.bn3 = nn.BatchNorm2d(4 * channels)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != 4 * channels:
            self.downsample = nn.Sequential(
                convolution(inputs, 4 * channels, 1, stride), nn.BatchNorm2d(4 * channels))

    def forward(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += shortcut
        return self.relu(y)


class ResNet(nn.Module):
    """He et al. 2015, arXiv:1512.03385, table 1, the stride in the 3x3 convolution."""

    def __init__(self, blocks, classes):
        super().__init__()
        self.conv1 = convolution(3, 64, 7, 2)
        self.bn1 = nn.BatchNorm2d(64)
        inputs = 64
        for number, (channels, count) in enumerate(zip((64, 128, 256, 512), blocks), 1):
            stage = []
            for i in range(count):
                stage.append(Bottleneck(inputs, channels, 2 if i == 0 and number > 1 else 1))
                inputs = 4 * channels
            setattr(self, f"layer{number}", nn.Sequential(*stage))
        self.fc = nn.Linear(inputs, classes)

    def forward(self, x):
        x = functional.relu_(self.bn1(self.conv1(x)))
        x = functional.max_pool2d(x, 3, 2, 1)
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(functional.adaptive_avg_pool2d(x, 1), 1))


def resnet50(classes):
    return ResNet((3, 4, 6, 3), classes)


def resnet152(classes):
    return ResNet((3, 8, 36, 3), classes)


def inception_v3(classes):
    import models_plain_inception  # a file of its own for its length
    return models_plain_inception.InceptionV3(classes)
