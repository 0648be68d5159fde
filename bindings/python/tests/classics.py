"""Published networks, for images of 1000 classes: AlexNet (2014, one column), VGG-16, ResNet-50 (strides in the 3 x 3 convolutions), U-Net."""

import torch
from torch import nn


class AlexNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 11, 4, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2),
            nn.Conv2d(64, 192, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2),
            nn.Conv2d(192, 384, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(384, 256, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2))
        self.avgpool = nn.AdaptiveAvgPool2d(6)
        self.classifier = nn.Sequential(nn.Dropout(), nn.Linear(256 * 36, 4096), nn.ReLU(inplace=True), nn.Dropout(), nn.Linear(4096, 4096),
                                        nn.ReLU(inplace=True), nn.Linear(4096, 1000))

    def forward(self, image):
        return self.classifier(torch.flatten(self.avgpool(self.features(image)), 1))


class VGG16(nn.Module):
    def __init__(self):
        super().__init__()
        layers, channels = [], 3
        for width in (64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"):
            if width == "M":
                layers.append(nn.MaxPool2d(2, 2))
            else:
                layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU(inplace=True)]
                channels = width
        self.features, self.avgpool = nn.Sequential(*layers), nn.AdaptiveAvgPool2d(7)
        self.classifier = nn.Sequential(nn.Linear(512 * 49, 4096), nn.ReLU(inplace=True), nn.Dropout(), nn.Linear(4096, 4096),
                                        nn.ReLU(inplace=True), nn.Dropout(), nn.Linear(4096, 1000))

    def forward(self, image):
        return self.classifier(torch.flatten(self.avgpool(self.features(image)), 1))


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels, width, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or channels != 4 * width:
            self.downsample = nn.Sequential(nn.Conv2d(channels, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += x if self.downsample is None else self.downsample(x)
        return self.relu(y)


class ResNet50(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
        self.relu, self.maxpool = nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)
        channels = 64
        for i, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
            stage = []
            for block in range(blocks):
                stage.append(Bottleneck(channels, width, 2 if block == 0 and i > 1 else 1))
                channels = 4 * width
            setattr(self, f"layer{i}", nn.Sequential(*stage))
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(2048, 1000)

    def forward(self, image):
        x = self.maxpool(self.relu(self.bn1(self.conv1(image))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


class UNet(nn.Module):
    """Four times down and up, with padded convolutions, so that the parts that are joined have the same size."""

    def __init__(self, classes=2, width=64):
        super().__init__()
        double = lambda a, b: nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.ReLU(inplace=True), nn.Conv2d(b, b, 3, padding=1), nn.ReLU(inplace=True))
        widths = [width * 2**i for i in range(5)]
        self.down = nn.ModuleList(double(a, b) for a, b in zip([3, *widths], widths))
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * a, a, 2, 2) for a in reversed(widths[:-1]))
        self.join = nn.ModuleList(double(2 * a, a) for a in reversed(widths[:-1]))
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, image):
        skips, x = [], image
        for block in self.down:
            x = block(self.pool(x) if skips else x)
            skips.append(x)
        for up, join, skip in zip(self.up, self.join, reversed(skips[:-1])):
            x = join(torch.cat([skip, up(x)], 1))
        return self.head(x)
