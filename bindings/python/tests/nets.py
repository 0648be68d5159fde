"""Networks as papers draw them, small enough to test with: PyTorch's own modules, nothing of tidepool's."""

import torch
from torch import nn


def conv(channels_in, channels_out, size=3, stride=1, relu=True):
    layers = [nn.Conv2d(channels_in, channels_out, size, stride, size // 2, bias=False), nn.BatchNorm2d(channels_out)]
    return nn.Sequential(*layers, *[nn.ReLU()] * relu)


class Residual(nn.Module):
    def __init__(self, channels_in, channels_out, stride):
        super().__init__()
        self.body = nn.Sequential(conv(channels_in, channels_out, 3, stride), conv(channels_out, channels_out, relu=False))
        same = channels_in == channels_out and stride == 1
        self.shortcut = nn.Identity() if same else conv(channels_in, channels_out, 1, stride, relu=False)

    def forward(self, x):
        return torch.relu(self.body(x) + self.shortcut(x))


def resnet18():
    widths = [64, 64, 128, 256, 512]
    stages = [Residual(a if i == 0 else b, b, 2 if i == 0 and b > 64 else 1) for a, b in zip(widths, widths[1:]) for i in range(2)]
    head = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)]
    return nn.Sequential(conv(3, 64, 7, 2), nn.MaxPool2d(3, 2, 1), *stages, *head)


def vgg11():
    layers, channels = [], 3
    for width in (64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"):
        if width == "M":
            layers.append(nn.MaxPool2d(2, 2))
        else:
            layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU()]
            channels = width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Linear(512 * 9, 64), nn.ReLU(), nn.Linear(64, 10))


class Fire(nn.Module):
    def __init__(self, channels_in, squeeze, expand):
        super().__init__()
        self.squeeze = nn.Sequential(nn.Conv2d(channels_in, squeeze, 1), nn.ReLU())
        self.small, self.large = nn.Conv2d(squeeze, expand, 1), nn.Conv2d(squeeze, expand, 3, padding=1)

    def forward(self, x):
        x = self.squeeze(x)
        return torch.relu(torch.cat([self.small(x), self.large(x)], 1))


def squeezenet():
    pool = lambda: nn.MaxPool2d(3, 2, ceil_mode=True)
    return nn.Sequential(nn.Conv2d(3, 64, 3, 2), nn.ReLU(), pool(), Fire(64, 16, 64), Fire(128, 16, 64), pool(), Fire(128, 32, 128),
                         Fire(256, 32, 128), pool(), Fire(256, 48, 192), Fire(384, 48, 192), nn.Conv2d(384, 10, 1), nn.ReLU(),
                         nn.AdaptiveAvgPool2d((1, 1)), nn.Flatten())


class Inception(nn.Module):
    def __init__(self, channels_in, width):
        super().__init__()
        self.branches = nn.ModuleList([
            conv(channels_in, width, 1), nn.Sequential(conv(channels_in, width, 1), conv(width, width, 3)),
            nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=True), conv(channels_in, width, 1)),
            nn.Sequential(nn.AvgPool2d(3, 1, 1, count_include_pad=False), conv(channels_in, width, 1))])

    def forward(self, x):
        return torch.cat([branch(x) for branch in self.branches], 1)


def googlenet():
    return nn.Sequential(conv(3, 32, 7, 2), nn.MaxPool2d(3, 2, ceil_mode=True), Inception(32, 16), nn.MaxPool2d(3, 2, ceil_mode=True),
                         Inception(64, 32), nn.AvgPool2d(3, 2), nn.AdaptiveMaxPool2d(2), nn.Flatten(), nn.Linear(512, 10))


class UNet(nn.Module):
    """With the indices of pooling for the way up, as SegNet has it."""

    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.bottom = conv(3, 16), conv(16, 32), conv(32, 32)
        self.up2, self.up1, self.out = conv(64, 16), conv(32, 16), nn.Conv2d(16, 2, 1)
        self.pool, self.unpool = nn.MaxPool2d(2, return_indices=True), nn.MaxUnpool2d(2)

    def forward(self, x):
        a = self.down1(x)
        half, where_a = self.pool(a)
        b = self.down2(half)
        quarter, where_b = self.pool(b)
        x = self.up2(torch.cat([self.unpool(self.bottom(quarter), where_b), b], 1))
        return self.out(self.up1(torch.cat([self.unpool(x, where_a), a], 1)))


NETS = {"ResNet-18": (resnet18, 96), "VGG-11": (vgg11, 96), "SqueezeNet": (squeezenet, 96), "GoogLeNet-like": (googlenet, 96), "U-Net-like": (UNet, 64)}
