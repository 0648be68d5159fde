"""PyTorch's operators as layers: each alone, and in random networks. Judged by PyTorch's shapes and gradients."""

import random
import unittest

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
except ImportError:
    raise unittest.SkipTest("no PyTorch here")

import tidepool
from analysis_judge import changing, claimed, reached, shapes_of_modules

IMAGE, LINE, VOLUME = (2, 4, 9, 11), (2, 4, 13), (1, 2, 6, 7, 5)


class Do(nn.Module):
    """A function as a module, with weights of its own."""

    def __init__(self, function, **weights):
        super().__init__()
        self.function = function
        for name, value in weights.items():
            self.register_parameter(name, nn.Parameter(torch.randn(value)) if isinstance(value, tuple) else value)

    def forward(self, x):
        return self.function(self, x) if self._parameters else self.function(x)


class Unpooled(nn.Module):
    def __init__(self, rank, *args, **kwargs):
        super().__init__()
        self.pool = getattr(nn, f"MaxPool{rank}d")(*args, return_indices=True, **kwargs)
        self.unpool = getattr(nn, f"MaxUnpool{rank}d")(*args, **kwargs)

    def forward(self, x):
        y, where = self.pool(x)
        return self.unpool(y, where, output_size=x.shape)


MAXIMA = 60  # random inputs after which every cell of a small window has been the maximum

# name: (module, shape of the input, random inputs)
CASES = {
    "conv": (nn.Conv2d(4, 6, 3, 2, 1), IMAGE, 1),
    "conv with dilation and groups": (nn.Conv2d(4, 4, (3, 2), (2, 1), (2, 0), (2, 3), groups=2), IMAGE, 1),
    "conv same": (nn.Conv2d(4, 2, (4, 3), padding="same", dilation=(1, 2)), IMAGE, 1),
    "conv valid": (nn.Conv2d(4, 2, 3, padding="valid"), IMAGE, 1),
    "conv reflect": (nn.Conv2d(4, 2, 3, padding=2, padding_mode="reflect"), IMAGE, 1),
    "conv circular": (nn.Conv2d(4, 2, 3, padding=1, padding_mode="circular"), IMAGE, 1),
    "conv1d": (nn.Conv1d(4, 2, 5, 2), LINE, 1),
    "conv3d": (nn.Conv3d(2, 3, 3, (1, 2, 1), 1), VOLUME, 1),
    "conv transpose": (nn.ConvTranspose2d(4, 2, 3, 2, 1, 1), IMAGE, 1),
    "conv transpose with holes": (nn.ConvTranspose2d(4, 4, 2, 3, 0, 0, 2, dilation=2), IMAGE, 1),
    "conv transpose 1d": (nn.ConvTranspose1d(4, 2, 4, 2), LINE, 1),
    "conv transpose 3d": (nn.ConvTranspose3d(2, 2, 2, 2), VOLUME, 1),
    "max pool": (nn.MaxPool2d(3, 2, 1), IMAGE, MAXIMA),
    "max pool with dilation": (nn.MaxPool2d(2, 2, dilation=2, ceil_mode=True), IMAGE, MAXIMA),
    "max pool with indices": (Do(lambda x: F.max_pool2d(x, 2, return_indices=True)), IMAGE, MAXIMA),
    "max pool 1d": (nn.MaxPool1d(3, ceil_mode=True), LINE, MAXIMA),
    "max pool 3d": (nn.MaxPool3d((1, 2, 2)), VOLUME, MAXIMA),
    "avg pool": (nn.AvgPool2d((2, 3), 2, (1, 0), ceil_mode=True), IMAGE, 1),
    "avg pool 1d": (nn.AvgPool1d(3, 2), LINE, 1),
    "avg pool 3d": (nn.AvgPool3d(2), VOLUME, 1),
    "lp pool": (nn.LPPool2d(2, 3, 2), IMAGE, 3),
    "lp pool 1d": (nn.LPPool1d(2, 3), LINE, 3),
    "adaptive avg pool": (nn.AdaptiveAvgPool2d((4, 3)), IMAGE, 1),
    "adaptive max pool": (nn.AdaptiveMaxPool2d((4, None)), IMAGE, MAXIMA),
    "adaptive max pool 1d": (nn.AdaptiveMaxPool1d(5), LINE, MAXIMA),
    "adaptive avg pool 3d": (nn.AdaptiveAvgPool3d(2), VOLUME, 1),
    "global avg pool": (nn.AdaptiveAvgPool2d(1), IMAGE, 1),
    "nearest": (nn.Upsample(scale_factor=2), IMAGE, 1),
    "nearest to a size": (nn.Upsample(size=(5, 17)), IMAGE, 1),
    "nearest exact": (Do(lambda x: F.interpolate(x, (5, 17), mode="nearest-exact")), IMAGE, 1),
    "bilinear": (nn.Upsample(scale_factor=2, mode="bilinear"), IMAGE, 1),
    "bilinear with corners": (nn.Upsample(size=(14, 21), mode="bilinear", align_corners=True), IMAGE, 1),
    "bicubic": (nn.Upsample(size=(14, 21), mode="bicubic"), IMAGE, 1),
    "linear 1d": (nn.Upsample(scale_factor=3, mode="linear"), LINE, 1),
    "trilinear": (nn.Upsample(scale_factor=2, mode="trilinear"), VOLUME, 1),
    "pixel shuffle": (nn.PixelShuffle(2), IMAGE, 1),
    "pixel unshuffle": (nn.PixelUnshuffle(2), (2, 3, 8, 6), 1),
    "batch norm": (nn.BatchNorm2d(4), IMAGE, 1),
    "prelu": (nn.PReLU(4), IMAGE, 1),
    "gelu": (nn.GELU(), IMAGE, 1),
    "hardtanh": (nn.Softplus(), IMAGE, 1),
    "glu": (nn.GLU(1), IMAGE, 1),
    "dropout": (nn.Dropout2d(), IMAGE, 1),
    "softmax over channels": (nn.Softmax2d(), IMAGE, 3),
    "pad": (nn.ZeroPad2d((1, 2, -1, 0)), IMAGE, 1),
    "pad reflect": (nn.ReflectionPad2d((3, 1, 2, 0)), IMAGE, 1),
    "pad replicate": (nn.ReplicationPad2d(2), IMAGE, 1),
    "pad circular": (nn.CircularPad2d((2, 1, 0, 3)), IMAGE, 1),
    "local response": (nn.LocalResponseNorm(3), IMAGE, 1),
    "add with weights": (Do(lambda m, x: x * m.scale + m.shift, scale=(4, 1, 1), shift=(1, 4, 1, 1)), IMAGE, 1),
    "squeeze and excite": (Do(lambda m, x: x * torch.sigmoid(F.linear(x.mean((2, 3)), m.w))[:, :, None, None], w=(4, 4)), IMAGE, 1),
    "branches": (Do(lambda x: torch.cat([F.avg_pool2d(x, 3, 1, 1), x], 1)), IMAGE, 1),
    "windows of different shapes": (Do(lambda x: F.avg_pool2d(x, (1, 5), 1, (0, 2)) + F.avg_pool2d(x, (5, 1), 1, (2, 0))), IMAGE, 1),
    "halves": (Do(lambda x: (lambda a, b: torch.cat([b, a * 2], 3))(*x.split([4, 7], 3))), IMAGE, 1),
    "chunk": (Do(lambda x: x.chunk(3, 2)[1]), IMAGE, 1),
    "every second": (Do(lambda x: x[:, :, 1::2, ::3]), IMAGE, 1),
    "focus": (Do(lambda x: torch.cat([x[..., ::2, ::2], x[..., 1::2, 1::2]], 1)), (1, 3, 8, 8), 1),
    "one row": (Do(lambda x: x.select(2, 3)[:, :, None]), IMAGE, 1),
    "stack": (Do(lambda x: torch.stack([x, x.roll(1, 2)], 2).flatten(1, 2)), IMAGE, 1),
    "roll": (Do(lambda x: x.roll((2, -3), (2, 3))), IMAGE, 1),
    "repeat": (Do(lambda x: x.repeat(1, 1, 2, 1)), IMAGE, 1),
    "expand": (Do(lambda x: x.mean(2, keepdim=True).expand(-1, -1, 5, -1)), IMAGE, 1),
    "transpose": (Do(lambda x: x.transpose(2, 3).contiguous()), IMAGE, 1),
    "movedim": (Do(lambda x: x.movedim(1, -1).movedim(-1, 1)), IMAGE, 1),
    "channels last": (Do(lambda m, x: F.linear(x.permute(0, 2, 3, 1), m.w).permute(0, 3, 1, 2), w=(3, 4)), IMAGE, 1),
    "mean over rows": (Do(lambda x: x.mean(2, keepdim=True)), IMAGE, 1),
    "largest of a row": (Do(lambda x: x.max(3, keepdim=True)[0]), IMAGE, MAXIMA),
    "in place on a view": (Do(lambda x: (lambda y: (y[:, :2].mul_(2), y)[1])(x + 1)[:, 2:]), IMAGE, 1),
    "in place, then read": (Do(lambda x: (lambda y: (y.sigmoid_(), y)[1])(F.avg_pool2d(x, 3))), IMAGE, 1),
    "filled": (Do(lambda x: (lambda y: (y[:, :, :3].fill_(1), y[:, :, :, 5:].zero_(), y)[2])(F.avg_pool2d(x, 3, 1))), IMAGE, 1),
    "border set to a number": (Do(lambda x: (lambda y: (y.__setitem__((..., slice(0, 2)), 0), y)[1])(F.avg_pool2d(x, 3, 1))), IMAGE, 1),
    "without gradients": (Do(lambda x: x + torch.no_grad()(lambda: x.shape[2] * torch.ones(1))()), IMAGE, 1),
    "normalise": (Do(lambda x: F.normalize(x, dim=1)), IMAGE, 1),
    "without a batch": (Do(lambda m, x: F.conv2d(x[0], m.w)[None], w=(2, 4, 3, 3)), IMAGE, 1),
}


# The indices of a pooling decide where values go, which no gradient shows.
UNPOOLING = {"2d": (Unpooled(2, 2), (1, 2, 4, 6), 30), "1d": (Unpooled(1, 3), (2, 2, 12), 30), "3d": (Unpooled(3, 2), (1, 1, 4, 2, 4), 90),
             "overlapping": (Unpooled(2, 3, 2, 1), (1, 1, 5, 7), 60)}


class Operators(unittest.TestCase):
    def setUp(self):
        self.threads = torch.get_num_threads()
        torch.set_num_threads(1)  # the tensors are small

    def tearDown(self):
        torch.set_num_threads(self.threads)

    def judge(self, module, shape, tries, cells=4, seed=0, truth=reached):
        torch.manual_seed(seed)
        module = module.double().eval()
        analysis = tidepool.analyze(module, shape)
        self.assertEqual(analysis.unknown, ())
        seen, result = shapes_of_modules(module, torch.randn(shape, dtype=torch.float64))
        result = result[0] if isinstance(result, tuple) else result
        output = analysis.layer(analysis.outputs[0])
        self.assertEqual(output.shape, tuple(result.shape))
        for path, shapes in seen.items():
            for layer in analysis.layers:
                if layer.name == path:
                    self.assertEqual(layer.shape, shapes[0], path)
        self.assertEqual(analysis.parameters, sum(p.numel() for p in module.parameters()))
        dims = range(2, len(shape))
        choose = random.Random(seed)
        for cell in [[0] * (len(output.shape) - 2), [n - 1 for n in output.shape[2:]],
                     *([choose.randrange(n) for n in output.shape[2:]] for _ in range(cells - 2))]:
            dependence = analysis.field(output.name, cell)
            self.assertTrue(dependence.exact)
            expected = truth(module, shape, cell, dims, tries)
            self.assertTrue(torch.equal(claimed(dependence, shape, dims), expected), f"cell {cell}\n{analysis}")
        return analysis

    def test_alone(self):
        for name, (module, shape, tries) in CASES.items():
            with self.subTest(operator=name):
                self.judge(module, shape, tries)

    def test_in_random_networks(self):
        judged = 0
        for seed in range(60):
            torch.manual_seed(seed)
            rank = seed % 3 + 1
            shape = (1, 2, *((17,), (11, 13), (8, 7, 9))[rank - 1])
            module = random_network(random.Random(seed), rank)
            try:
                module(torch.zeros(shape))
            except RuntimeError:  # a window is larger than what is left
                continue
            judged += 1
            with self.subTest(seed=seed):
                self.judge(module, shape, 1, seed=seed)
        self.assertGreater(judged, 40)

    def test_unpooling(self):
        for name, (module, shape, tries) in UNPOOLING.items():
            with self.subTest(unpooling=name):
                self.judge(module, shape, tries, truth=changing)

    def test_not_exact_is_said(self):
        """Where the layers say more than what matters, every cell that matters is among theirs."""
        torch.manual_seed(0)
        einsum = Do(lambda m, x: torch.einsum("nchw,dc->ndhw", x, m.w), w=(3, 4)).double()
        for module in (nn.ChannelShuffle(2), einsum, nn.FractionalMaxPool2d(2, output_size=4)):
            with self.subTest(module=module):
                analysis = tidepool.analyze(module, IMAGE)
                self.assertEqual((analysis.unknown, analysis.layer(analysis.outputs[0]).shape),
                                 ((), tuple(module(torch.zeros(IMAGE, dtype=torch.float64)).shape)))
                dependence = analysis.field(analysis.outputs[0], (1, 2))
                self.assertFalse(dependence.exact)
                self.assertFalse((reached(module, IMAGE, (1, 2), (2, 3), 3) & ~claimed(dependence, IMAGE, (2, 3))).any())


class Branches(nn.Module):
    def __init__(self, *branches, join):
        super().__init__()
        self.branches, self.join = nn.ModuleList(branches), join

    def forward(self, x):
        parts = [branch(x) for branch in self.branches]
        return torch.cat(parts, 1) if self.join == "concat" else sum(parts)


def random_network(choose, rank):
    """Layers whose gradients are nowhere zero, with branches. All have 2 channels."""
    conv, transposed = getattr(nn, f"Conv{rank}d"), getattr(nn, f"ConvTranspose{rank}d")
    avg, mode = getattr(nn, f"AvgPool{rank}d"), ("linear", "bilinear", "trilinear")[rank - 1]

    def same_size():
        kernel, dilation, border = choose.choice([1, 3, 5]), choose.choice([1, 1, 2]), choose.choice(["zeros", "replicate", "circular"])
        return choose.choice([lambda: conv(2, 2, kernel, padding=(kernel - 1) // 2 * dilation, dilation=dilation), lambda: avg(3, 1, 1),
                              nn.Identity, nn.Tanh, lambda: conv(2, 2, 3, padding=1, padding_mode=border)])()

    def layer():
        return choose.choice([
            same_size, lambda: conv(2, 2, choose.randint(1, 3), choose.randint(1, 2), 1), lambda: avg(2, ceil_mode=choose.random() < 0.5),
            lambda: transposed(2, 2, choose.randint(2, 3), 2), lambda: nn.Upsample(scale_factor=2, mode=choose.choice(["nearest", mode])),
            lambda: Branches(nn.Sequential(same_size(), nn.Sigmoid()), nn.Sequential(same_size(), same_size()), join="add"),
            lambda: nn.Sequential(Branches(same_size(), same_size(), join="concat"), conv(4, 2, 1))])()

    return nn.Sequential(*(layer() for _ in range(choose.randint(2, 6))))


if __name__ == "__main__":
    unittest.main()
