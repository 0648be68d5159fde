"""Well-known networks in plain PyTorch, with the pooling layers of their papers. bench/networks.py trains and runs them."""

import torch
from torch import nn
from torch.nn import functional as F


def conv_relu(inputs, outputs, kernel, stride=1, padding=0):
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, padding), nn.ReLU(inplace=True))


def conv_norm(inputs, outputs, kernel, stride=1, padding=0):
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False), nn.BatchNorm2d(outputs))


def conv_norm_relu(inputs, outputs, kernel, stride=1, padding=0):
    return nn.Sequential(*conv_norm(inputs, outputs, kernel, stride, padding), nn.ReLU(inplace=True))


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.body = nn.Sequential(conv_norm_relu(inputs, width, 1), conv_norm_relu(width, width, 3, stride, 1), conv_norm(width, outputs, 1))
        self.skip = nn.Identity() if stride == 1 and inputs == outputs else conv_norm(inputs, outputs, 1, stride)

    def forward(self, x):
        return F.relu(self.body(x) + self.skip(x), inplace=True)


class ResNet50(nn.Module):
    """He and others 2015."""

    def __init__(self, classes=1000):
        super().__init__()
        self.stem = nn.Sequential(conv_norm_relu(3, 64, 7, 2, 3), nn.MaxPool2d(3, 2, 1))
        blocks, inputs = [], 64
        for width, count in ((64, 3), (128, 4), (256, 6), (512, 3)):
            for i in range(count):
                blocks.append(Bottleneck(inputs, width, 2 if i == 0 and width > 64 else 1))
                inputs = 4 * width
        self.blocks, self.pool, self.classifier = nn.Sequential(*blocks), nn.AdaptiveAvgPool2d(1), nn.Linear(inputs, classes)

    def forward(self, x):
        return self.classifier(self.pool(self.blocks(self.stem(x))).flatten(1))


class Inception(nn.Module):
    def __init__(self, inputs, one, reduce3, three, reduce5, five, pooled):
        super().__init__()
        self.one = conv_relu(inputs, one, 1)
        self.three = nn.Sequential(conv_relu(inputs, reduce3, 1), conv_relu(reduce3, three, 3, 1, 1))
        self.five = nn.Sequential(conv_relu(inputs, reduce5, 1), conv_relu(reduce5, five, 5, 1, 2))
        self.pooled = nn.Sequential(nn.MaxPool2d(3, 1, 1), conv_relu(inputs, pooled, 1))

    def forward(self, x):
        return torch.cat([self.one(x), self.three(x), self.five(x), self.pooled(x)], 1)


class GoogLeNet(nn.Module):
    """Szegedy and others 2014. The two auxiliary classifiers take part in training only."""

    def __init__(self, classes=1000):
        super().__init__()
        self.stem = nn.Sequential(
            conv_relu(3, 64, 7, 2, 3), nn.MaxPool2d(3, 2, ceil_mode=True), conv_relu(64, 64, 1), conv_relu(64, 192, 3, 1, 1),
            nn.MaxPool2d(3, 2, ceil_mode=True), Inception(192, 64, 96, 128, 16, 32, 32), Inception(256, 128, 128, 192, 32, 96, 64),
            nn.MaxPool2d(3, 2, ceil_mode=True), Inception(480, 192, 96, 208, 16, 48, 64))  # fmt: skip
        self.middle = nn.Sequential(Inception(512, 160, 112, 224, 24, 64, 64), Inception(512, 128, 128, 256, 24, 64, 64), Inception(512, 112, 144, 288, 32, 64, 64))
        self.top = nn.Sequential(
            Inception(528, 256, 160, 320, 32, 128, 128), nn.MaxPool2d(3, 2, ceil_mode=True), Inception(832, 256, 160, 320, 32, 128, 128),
            Inception(832, 384, 192, 384, 48, 128, 128), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.0), nn.Linear(1024, classes))  # fmt: skip
        self.helpers = nn.ModuleList(
            nn.Sequential(nn.AvgPool2d(5, 3), conv_relu(inputs, 128, 1), nn.Flatten(), nn.Linear(2048, 1024), nn.ReLU(inplace=True), nn.Linear(1024, classes))
            for inputs in (512, 528)
        )

    def forward(self, x):
        early = self.stem(x)
        late = self.middle(early)
        y = self.top(late)
        return y + 0.3 * self.helpers[0](early) + 0.3 * self.helpers[1](late) if self.training else y


class Fire(nn.Module):
    def __init__(self, inputs, squeezed, expanded):
        super().__init__()
        self.squeeze = conv_relu(inputs, squeezed, 1)
        self.one, self.three = conv_relu(squeezed, expanded, 1), conv_relu(squeezed, expanded, 3, 1, 1)

    def forward(self, x):
        x = self.squeeze(x)
        return torch.cat([self.one(x), self.three(x)], 1)


def squeezenet(classes=1000):
    """Iandola and others 2016, version 1.0."""
    return nn.Sequential(
        conv_relu(3, 96, 7, 2), nn.MaxPool2d(3, 2, ceil_mode=True), Fire(96, 16, 64), Fire(128, 16, 64), Fire(128, 32, 128),
        nn.MaxPool2d(3, 2, ceil_mode=True), Fire(256, 32, 128), Fire(256, 48, 192), Fire(384, 48, 192), Fire(384, 64, 256),
        nn.MaxPool2d(3, 2, ceil_mode=True), Fire(512, 64, 256), conv_relu(512, classes, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten())  # fmt: skip


VGG16 = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))  # width and number of convolutions of each stage


def vgg16(classes=1000):
    """Simonyan and Zisserman 2014."""
    layers, inputs = [], 3
    for width, count in VGG16:
        for _ in range(count):
            layers.append(conv_relu(inputs, width, 3, 1, 1))
            inputs = width
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(7), nn.Flatten(), nn.Linear(512 * 49, 4096), nn.ReLU(inplace=True), nn.Linear(4096, 4096),
        nn.ReLU(inplace=True), nn.Linear(4096, classes))  # fmt: skip


class SegNet(nn.Module):
    """Badrinarayanan and others 2015: the encoder is VGG-16 without its classifier, and the decoder unpools to where the maxima came from."""

    def __init__(self, classes=12):
        super().__init__()
        widths = [3] + [width for width, _ in VGG16]
        self.encoder, self.decoder = nn.ModuleList(), nn.ModuleList()
        for before, (width, count) in zip(widths, VGG16, strict=False):
            self.encoder.append(nn.Sequential(*(conv_norm_relu(before if i == 0 else width, width, 3, 1, 1) for i in range(count))))
            last = max(before, 64)
            self.decoder.insert(0, nn.Sequential(*(conv_norm_relu(width, width if i + 1 < count else last, 3, 1, 1) for i in range(count))))
        self.classifier = nn.Conv2d(64, classes, 1)

    def forward(self, x):
        kept = []
        for stage in self.encoder:
            x = stage(x)
            sizes = x.shape
            x, indices = F.max_pool2d(x, 2, return_indices=True)
            kept.append((indices, sizes))
        for stage in self.decoder:
            indices, sizes = kept.pop()
            x = stage(F.max_unpool2d(x, indices, 2, output_size=sizes))
        return self.classifier(x)


class UNet(nn.Module):
    """Ronneberger and others 2015, with padded convolutions."""

    def __init__(self, classes=2, width=64, depth=4):
        super().__init__()

        def double(inputs, outputs):
            return nn.Sequential(conv_relu(inputs, outputs, 3, 1, 1), conv_relu(outputs, outputs, 3, 1, 1))

        widths = [width << i for i in range(depth + 1)]
        self.down = nn.ModuleList(double(a, b) for a, b in zip([3, *widths], widths, strict=False))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * w, w, 2, 2) for w in reversed(widths[:-1]))
        self.merge = nn.ModuleList(double(2 * w, w) for w in reversed(widths[:-1]))
        self.pool, self.classifier = nn.MaxPool2d(2), nn.Conv2d(width, classes, 1)

    def forward(self, x):
        kept = []
        for i, stage in enumerate(self.down):
            x = stage(x if i == 0 else self.pool(x))
            kept.append(x)
        kept.pop()
        for up, merge in zip(self.up, self.merge, strict=True):
            x = merge(torch.cat([kept.pop(), up(x)], 1))
        return self.classifier(x)


# name: how it is made, and the shape of a batch for which a training step takes less than a second or so on one thread
NETWORKS = {
    "ResNet-50": (ResNet50, (2, 3, 224, 224)),
    "GoogLeNet": (GoogLeNet, (2, 3, 224, 224)),
    "SqueezeNet": (squeezenet, (4, 3, 224, 224)),
    "SegNet": (SegNet, (1, 3, 128, 160)),
    "U-Net": (UNet, (1, 3, 128, 128)),
    "VGG-16": (vgg16, (1, 3, 160, 160)),
}
