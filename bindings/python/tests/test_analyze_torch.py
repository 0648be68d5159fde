"""tidepool.analyze of PyTorch modules: published networks, names, and that modules are neither run nor changed."""

import logging
import unittest
import warnings
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

try:
    import torch
    import torch.nn.functional as F
    from torch import nn
    from torch.utils.checkpoint import checkpoint
except ImportError:
    raise unittest.SkipTest("no PyTorch here")

import classics
import nets
import tidepool
import tidepool.torch as tt
from analysis_judge import shapes_of_modules

ALEXNET = """conv 11x11 64 s4 p2, relu, max 3 s2, conv 5x5 192 p2, relu, max 3 s2, conv 3x3 384 p1, relu, conv 3x3 256 p1, relu,
    conv 3x3 256 p1, relu, max 3 s2, adaptive_avg 6, flatten, dropout, linear 4096, relu, dropout, linear 4096, relu, linear 1000"""

VGG16 = """conv 3x3 64 p1, relu, conv 3x3 64 p1, relu, max 2, conv 3x3 128 p1, relu, conv 3x3 128 p1, relu, max 2,
    ( conv 3x3 256 p1, relu ) x3, max 2, ( conv 3x3 512 p1, relu ) x3, max 2, ( conv 3x3 512 p1, relu ) x3, max 2,
    adaptive_avg 7, flatten, linear 4096, relu, dropout, linear 4096, relu, dropout, linear 1000"""


def resnet50():
    def unit(width, stride):
        return (f"conv 1x1 {width} nobias, bn, relu, conv 3x3 {width} {stride} p1 nobias, bn, relu, conv 1x1 {4 * width} nobias, bn")

    def stage(width, stride, units):
        first = f"[ {unit(width, stride)} | conv 1x1 {4 * width} {stride} nobias, bn ] add, relu"
        return f"{first}, ( [ {unit(width, '')} | ] add, relu ) x{units - 1}"

    stages = ", ".join(stage(*s) for s in ((64, "", 3), (128, "s2", 4), (256, "s2", 6), (512, "s2", 3)))
    return f"conv 7x7 64 s2 p3 nobias, bn, relu, max 3 s2 p1, {stages}, gap, flatten, linear 1000"


def unet():
    down = ", ".join(f"conv 3x3 {c} p1, relu, conv 3x3 {c} p1, skip{c}: relu, max 2" for c in (64, 128, 256, 512))
    up = ", ".join(f"convt 2x2 {c} s2, concat skip{c}, ( conv 3x3 {c} p1, relu ) x2" for c in (512, 256, 128, 64))
    return f"{down}, ( conv 3x3 1024 p1, relu ) x2, {up}, conv 1x1 2"


def on_meta(make):
    with torch.device("meta"):
        return make()


def snapshot(module):
    """Everything that an analysis must not change."""
    modules = [(name, m, m.training, dict(vars(m)), list(m._forward_hooks), list(m._forward_pre_hooks))
               for name, m in module.named_modules()]
    return (modules,
            [(name, t, t._version, t.clone()) for name, t in [*module.named_parameters(), *module.named_buffers()]])


class Published(unittest.TestCase):
    def test_parameters_and_shapes(self):
        for make, parameters in ((classics.AlexNet, 61_100_840), (classics.VGG16, 138_357_544), (classics.ResNet50, 25_557_032)):
            with self.subTest(net=make.__name__):
                net = tidepool.analyze(on_meta(make), (1, 3, 224, 224))
                self.assertEqual((net.parameters, net.unknown, net.inputs), (parameters, (), ("image",)))
                self.assertEqual(net.layer(net.outputs[0]).shape, (1, 1000))

    def test_same_as_text(self):
        for make, text in ((classics.AlexNet, ALEXNET), (classics.VGG16, VGG16), (classics.ResNet50, resnet50()), (classics.UNet, unet())):
            with self.subTest(net=make.__name__):
                self.compare(tidepool.analyze(on_meta(make), (1, 3, 224, 224)), tidepool.analyze(text, (3, 224, 224)))

    def compare(self, module, text):
        self.assertEqual(len(module.layers), len(text.layers))
        for ours, theirs in zip(module.layers, text.layers):
            for name in ("kind", "text", "shape", "parameters", "multiply_adds", "output_bytes", "saved_bytes", "moved_bytes"):
                self.assertEqual(getattr(ours, name), getattr(theirs, name), f"{name} of {ours.name}")
            self.assertEqual([(f.size, f.stride, f.begin, f.centre, f.saturated) for f in ours.fields],
                             [(f.size, f.stride, f.begin, f.centre, f.saturated) for f in theirs.fields], ours.name)
        self.assertEqual(module.to_dict()["totals"], text.to_dict()["totals"])

    def test_resnet50(self):
        net = tidepool.analyze(on_meta(classics.ResNet50), (1, 3, 224, 224))
        last = net.layer("layer4.2.relu_3")
        self.assertEqual((last.shape, last.fields[0].size, last.fields[0].stride), ((1, 2048, 7, 7), 427, 32))
        self.assertEqual(net.layer("layer3.2.conv2").text, "conv 3x3 256 p1 nobias")
        self.assertEqual(net.layer("layer1.0.add").inputs, ("layer1.0.bn3", "layer1.0.downsample.1"))
        self.assertEqual(net.multiply_adds, 4_089_184_256)

    def test_unet(self):
        net = tidepool.analyze(on_meta(classics.UNet), (1, 3, 256, 256))
        self.assertEqual((net.layer("head").shape, net.unknown, net.parameters), ((1, 2, 256, 256), (), 31_031_810))
        self.assertEqual(net.layer("head").fields[0].stride, 1)
        self.assertEqual((net.losses, net.misalignments), ((), ()))

    def test_shapes_are_those_of_a_forward_pass(self):
        for name, (make, size) in nets.NETS.items():
            with self.subTest(net=name):
                module = make().eval()
                net = tidepool.analyze(module, (2, 3, size, size))
                seen, result = shapes_of_modules(module, torch.randn(2, 3, size, size))
                self.assertEqual(net.layer(net.outputs[0]).shape, tuple(result.shape))
                self.assertEqual((net.unknown, net.parameters), ((), sum(p.numel() for p in module.parameters())))
                counted = 0
                for path, shapes in seen.items():
                    if isinstance(module.get_submodule(path), nn.Identity):
                        continue
                    names = [path, *(f"{path}_{i}" for i in range(2, len(shapes) + 1))]
                    self.assertEqual([net.layer(n).shape for n in names], shapes, path)
                    counted += len(names)
                self.assertGreaterEqual(counted, 20)


class Modules(unittest.TestCase):
    def test_are_not_changed(self):
        module = nets.resnet18()
        module[3].eval()
        module[4].extra = 7
        state = snapshot(module)
        training, tensors = [m.training for m in module.modules()], {name: t.clone() for name, t in module.state_dict().items()}
        net = tidepool.analyze(module, (1, 3, 64, 64))
        self.assertIn("bn", {layer.text for layer in net.layers})  # of evaluation
        self.assertEqual(training, [m.training for m in module.modules()])
        modules, values = snapshot(module)
        self.assertEqual([(a[0], id(a[1]), a[2], a[4], a[5]) for a in modules], [(b[0], id(b[1]), b[2], b[4], b[5]) for b in state[0]])
        for (_, _, _, now, _, _), (name, _, _, before, _, _) in zip(modules, state[0]):
            self.assertEqual({k: id(v) for k, v in now.items()}, {k: id(v) for k, v in before.items()}, name)
        for (name, now, version, _), (_, before, old, _) in zip(values, state[1]):
            self.assertTrue(now is before and version == old, name)
        self.assertTrue(all(torch.equal(tensors[name], t) for name, t in module.state_dict().items()))
        self.assertTrue(all(p.grad is None for p in module.parameters()))

    def test_weights_that_forward_writes_to_are_not_changed(self):
        class Clipped(nn.Conv2d):
            def forward(self, x):
                with torch.no_grad():
                    self.weight.data.clamp_(-0.01, 0.01)
                return super().forward(x)

        class Renormed(nn.Conv2d):
            def forward(self, x):
                self.weight.data = torch.renorm(self.weight.data, 2, 0, 0.01)
                return super().forward(x)

        for make in (Clipped, Renormed):
            module = make(3, 4, 3)
            before, memory = module.weight.detach().clone(), module.weight.data_ptr()
            net = tidepool.analyze(module, (1, 3, 8, 8))
            self.assertEqual((net.layers[-1].text, net.parameters, net.unknown), ("conv 3x3 4", 112, ()))
            self.assertTrue(torch.equal(before, module.weight) and module.weight.data_ptr() == memory)

    def test_containers_in_attributes_are_not_changed(self):
        class Caching(nn.Module):
            def __init__(self):
                super().__init__()
                self.cache, self.last = {"keys": [[]], "sizes": (1, [])}, deque([1, 2], maxlen=2)

            def forward(self, x):
                self.cache["keys"][0].append(x)
                self.cache["sizes"][1].append(x)
                self.cache["more"] = x
                self.last.append(x)
                return x * 2

        module = Caching()
        tidepool.analyze(module, (1, 3, 8, 8))
        self.assertEqual((module.cache, module.last, module.last.maxlen), ({"keys": [[]], "sizes": (1, [])}, deque([1, 2]), 2))

    def test_of_torchscript_are_refused_and_not_changed(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = torch.jit.script(nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()))
        with self.assertRaisesRegex(tidepool.Error, "cannot trace RecursiveScriptModule"):
            tidepool.analyze(module, (1, 3, 8, 8))
        self.assertTrue(all(m.training for m in module.modules()))

    def test_are_restored_after_errors(self):
        module = nets.vgg11()
        with self.assertRaises(tidepool.Error):
            tidepool.analyze(module, (1, 4, 64, 64))
        self.assertTrue(all(m.training for m in module.modules()))

    def test_in_several_threads(self):
        module = nets.squeezenet().train()
        analysed = lambda _: tidepool.analyze(module, (1, 3, 96, 96)).to_json()
        with ThreadPoolExecutor(4) as threads:
            results = set(threads.map(analysed, range(12)))
        self.assertEqual(results, {analysed(0)})
        self.assertTrue(all(m.training for m in module.modules()) and torch.backends.mha.get_fastpath_enabled())

    def test_on_meta_give_the_same(self):
        shape = (1, 3, 64, 64)
        self.assertEqual(tidepool.analyze(on_meta(nets.resnet18), shape).to_dict(), tidepool.analyze(nets.resnet18(), shape).to_dict())

    def test_compiled(self):
        module, shape = nets.squeezenet(), (1, 3, 96, 96)
        self.assertEqual(tidepool.analyze(torch.compile(module), shape).to_dict(), tidepool.analyze(module, shape).to_dict())

    def test_refuse_shapes_that_no_tensor_has(self):
        for size in (-1, 0, 10**12, 2**70):
            with self.subTest(size=size), self.assertRaisesRegex(tidepool.Error, f"^analyze: .*{size}"):
                tidepool.analyze(nn.Conv2d(3, 4, 1), (1, 3, size, size))

    def test_take_no_time_for_data(self):
        net = tidepool.analyze(on_meta(classics.VGG16), (64, 3, 4096, 4096))  # 12 GB of image, petabytes of work
        self.assertEqual(net.layer("features.0").shape, (64, 64, 4096, 4096))

    def test_shared_weights_count_once(self):
        class Shared(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv, self.other, self.third = nn.Conv2d(4, 4, 3, padding=1), nn.Conv2d(4, 4, 3), nn.Conv2d(4, 4, 3, bias=False)
                self.other.weight = self.conv.weight  # with a bias of its own
                self.third.weight = self.conv.weight

            def forward(self, x):
                return self.third(self.other(self.conv(self.conv(x))))

        module = Shared()
        net = tidepool.analyze(module, (1, 4, 16, 16))
        self.assertEqual(net.parameters, sum(p.numel() for p in module.parameters()))
        self.assertEqual([net.layer(name).parameters for name in ("conv", "conv_2", "other")], [148, 148, 4])
        self.assertEqual(net.layer("conv").weights, net.layer("conv_2").weights)

    def test_weights_that_are_not_trained_do_not_count(self):
        class Blur(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kernel", torch.ones(4, 1, 3, 3))
                self.conv = nn.utils.parametrizations.weight_norm(nn.Conv2d(4, 4, 3))

            def forward(self, x):
                return self.conv(F.conv2d(x, self.kernel / 9, groups=4))

        module = Blur()
        net = tidepool.analyze(module, (1, 4, 9, 9))
        self.assertEqual((net.parameters, net.unknown), (sum(p.numel() for p in module.parameters()), ()))
        self.assertEqual(net.layers[1].text, "conv 3x3 4 g4 nobias")

    def test_inputs_and_outputs(self):
        class Two(nn.Module):
            def forward(self, left, right):
                both = torch.cat([left, F.interpolate(right, scale_factor=2)], 1)
                return {"both": both, "rest": [left * 2, None]}

        net = tidepool.analyze(Two(), [(1, 2, 8, 8), (1, 3, 4, 4)])
        self.assertEqual((net.inputs, len(net.outputs), net.layer(net.outputs[0]).shape), (("left", "right"), 2, (1, 5, 8, 8)))
        with self.assertRaisesRegex(tidepool.Error, "input must be one of left, right"):
            net.field("concat1", (0, 0))
        self.assertEqual(net.field("concat1", (5, 2), input="right").box[2:], ((2, 3), (1, 2)))
        with self.assertRaisesRegex(tidepool.Error, "cannot trace Two"):
            tidepool.analyze(Two(), (1, 2, 8, 8))

    def test_scalar_parameters_count(self):
        class Scaled(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale, self.shift, self.power = (nn.Parameter(torch.tensor(float(i))) for i in range(3))
                self.register_buffer("fixed", torch.tensor(2.0))

            def forward(self, x):
                y = (x * self.scale.exp() + self.shift) / self.fixed
                return torch.cat([y, x * self.scale + y.sum(1, keepdim=True)], 1) ** self.power

        self.assertEqual(tidepool.analyze(Scaled(), (1, 3, 8, 8)).parameters, 3)

    def test_names_inside_regions(self):
        class Regions(nn.Module):
            def __init__(self):
                super().__init__()
                self.stem, self.body, self.head = nn.Conv2d(3, 4, 3), nn.Sequential(nn.Conv2d(4, 4, 3), nn.ReLU()), nn.Conv2d(4, 2, 1)

            def forward(self, x):
                with torch.no_grad():
                    x = self.stem(x)
                with torch.autocast("cpu", torch.bfloat16):
                    x = self.body(x)
                return checkpoint(self.head, x.float(), use_reentrant=False)

        names = [layer.name for layer in tidepool.analyze(Regions(), (1, 3, 16, 16)).layers]
        self.assertEqual(names, ["x", "stem", "body.0", "body.1", "head"])

    def test_outputs_that_depend_on_no_input(self):
        class Anchored(nn.Module):
            def forward(self, x):
                return torch.ones(6, 4), x * 2

        net = tidepool.analyze(Anchored(), (1, 2, 8, 8))
        self.assertEqual([net.layer(name).shape for name in net.outputs], [(6, 4), (1, 2, 8, 8)])

    def test_unknown_operators_are_named(self):
        class Warped(nn.Module):
            def __init__(self):
                super().__init__()
                self.stem, self.head = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 2, 1)

            def forward(self, x):
                y = self.stem(x)
                grid = F.affine_grid(torch.eye(2, 3)[None], [1, 4, 8, 8], align_corners=False)
                return self.head(F.grid_sample(y, grid, align_corners=False)), y.flip(2), torch.relu(y)

        net = tidepool.analyze(Warped(), (1, 3, 8, 8))
        self.assertEqual(len(net.unknown), 2)
        self.assertEqual([net.layer(name).text for name in net.unknown], ["unknown grid_sampler", "unknown flip"])
        head = net.layer("head")
        self.assertEqual((head.kind, head.shape, head.blocked_by, head.fields), ("conv", None, net.unknown[0], ()))
        self.assertEqual((net.layer("relu1").shape, net.layer("relu1").blocked_by), ((1, 4, 8, 8), None))
        self.assertTrue(any(f.kind == "unknown" and "grid_sampler" in f.text for f in net.findings))
        with self.assertRaisesRegex(tidepool.Error, "unknown"):
            net.field("head", (0, 0))

    def test_parameters_of_unknown_layers_count(self):
        class Words(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm, self.head = nn.LSTM(8, 6, batch_first=True), nn.Linear(6, 4)

            def forward(self, x):
                return self.head(self.lstm(x)[0])

        module = Words()
        net = tidepool.analyze(module, (1, 20, 8))
        self.assertEqual((net.unknown, net.parameters), (("lstm",), sum(p.numel() for p in module.parameters())))

    def test_errors_are_not_logged_as_well(self):
        class Warned(nn.Module):
            def forward(self, x):
                warnings.warn("of the module")
                return x if x.sum() > 0 else -x

        logged, log = logging.Handler(), logging.getLogger("torch._subclasses.fake_tensor")
        logged.emit = mock.Mock()
        log.addHandler(logged)
        try:
            for module in (nn.MaxPool2d(20), Warned()):
                with warnings.catch_warnings(record=True) as warned, self.assertRaises(tidepool.Error):
                    warnings.simplefilter("always")
                    tidepool.analyze(module, (1, 1, 9, 9))
                self.assertEqual(warned, [])
        finally:
            log.removeHandler(logged)
        logged.emit.assert_not_called()

    def test_values_that_decide_what_runs_are_refused(self):
        class Branching(nn.Module):
            def forward(self, x):
                return x if x.sum() > 0 else -x

        with self.assertRaisesRegex(tidepool.Error, "^analyze: PyTorch cannot trace Branching: the values of a tensor decide"):
            tidepool.analyze(Branching(), (1, 3, 8, 8))
        class Selecting(nn.Module):
            def forward(self, x):
                return torch.relu(x[x > 0])

        with self.assertRaisesRegex(tidepool.Error, "^analyze: PyTorch cannot trace Selecting: the values of a tensor decide.*is$"):
            tidepool.analyze(Selecting(), (1, 3, 8, 8))
        with self.assertRaisesRegex(tidepool.Error, "lazy"):
            tidepool.analyze(nn.LazyConv2d(4, 3), (1, 3, 8, 8))

    def test_attention(self):
        class Vision(nn.Module):
            def __init__(self):
                super().__init__()
                self.patches = nn.Conv2d(3, 16, 4, 4)
                self.token, self.place = nn.Parameter(torch.zeros(1, 1, 16)), nn.Parameter(torch.zeros(1, 65, 16))
                self.features = nn.Linear(16, 16)
                self.encoder = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)

            def forward(self, x):
                tokens = self.features(self.patches(x).flatten(2).transpose(1, 2))
                return self.encoder(torch.cat([self.token, tokens], 1) + self.place)[:, 0]

        for frozen in (False, True):
            module = Vision().requires_grad_(not frozen)
            net = tidepool.analyze(module, (1, 3, 32, 32))
            self.assertEqual((net.unknown, net.layer(net.outputs[0]).shape), ((), (1, 16)))
            self.assertEqual((net.layer("features").fields[0].size, net.layer(net.outputs[0]).fields[0].size), (4, 32))
            self.assertEqual(net.parameters, sum(p.numel() for p in module.parameters()))

    def test_modules_of_tidepool(self):
        ours = nn.Sequential(nn.Conv2d(3, 4, 3), tt.MaxPool2d(2), tt.AvgPool2d(3, 1), tt.LPPool2d(2, 2), tt.AdaptiveAvgPool2d(1))
        theirs = nn.Sequential(nn.Conv2d(3, 4, 3), nn.MaxPool2d(2), nn.AvgPool2d(3, 1), nn.LPPool2d(2, 2), nn.AdaptiveAvgPool2d(1))
        expected = tidepool.analyze(theirs, (1, 3, 32, 32)).to_dict()
        self.assertEqual(tidepool.analyze(ours, (1, 3, 32, 32)).to_dict(), expected)
        with tt.enabled():
            self.assertEqual(tidepool.analyze(theirs, (1, 3, 32, 32)).to_dict(), expected)
        self.assertEqual([layer["layer"] for layer in expected["nodes"][1:]], ["conv 3x3 4", "max 2", "avg 3 s1", "lp 2", "gap"])
        self.assertNotIn("forward", vars(ours[1]))


class Box:
    def __init__(self, first, others):
        self.first, self.others = first, others


class Unusual(nn.Module):
    """What torch.export refuses: an attribute that forward() sets, and a result of a class of its own."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 3, 2, 1), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
        self.calls, self.seen, self.history = 0, None, []
        self.head = nn.Linear(4, 5)

    def forward(self, image):
        self.calls += 1
        self.seen = x = self.stem(image)
        self.history.append(x)
        with torch.no_grad():
            x = x + 1
        x[:, :2].mul_(2)
        return Box(self.head(F.adaptive_avg_pool2d(x, 1).flatten(1)), [x, torch.einsum("nchw->nhw", x)])


class Recorded(unittest.TestCase):
    def test_what_export_refuses(self):
        module = Unusual()
        with self.assertRaises(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.export.export(module, (torch.zeros(1, 3, 16, 16),), strict=False)
        module = Unusual()
        net = tidepool.analyze(module, (1, 3, 16, 16))
        self.assertEqual((net.inputs, net.unknown, len(net.outputs)), (("image",), (), 3))
        self.assertEqual(net.layer("head").shape, (1, 5))
        self.assertEqual(net.layer("stem.0").text, "conv 3x3 4 s2 p1")
        self.assertEqual({"stem.0", "stem.1", "stem.2", "head"} - {layer.name for layer in net.layers}, set())
        self.assertEqual(net.parameters, sum(p.numel() for p in module.parameters()))
        self.assertEqual((module.calls, module.seen, module.history, module.training), (0, None, [], True))
        self.assertFalse(any(m._forward_hooks or m._forward_pre_hooks for m in module.modules()))

    def test_gives_the_same_as_export(self):
        from tidepool.analysis import torch_graph
        from tidepool.analysis.torch_network import Conversion
        from torch._subclasses.fake_tensor import FakeTensorMode

        for make, size in ((classics.ResNet50, 64), (classics.UNet, 64), (nets.squeezenet, 96), (nets.UNet, 64)):
            with self.subTest(net=make.__name__):
                module = on_meta(make)
                with torch_graph.evaluating(module), FakeTensorMode(allow_non_fake_inputs=True) as fake:
                    image = torch.empty(1, 3, size, size, device="meta")
                with torch_graph.evaluating(module):
                    conversion = Conversion(module, torch_graph.recorded(module, (image,), fake))
                conversion.run()
                recorded = tidepool.Analysis(tidepool._core.analyze(conversion.network, 4, 10e9)).to_dict()
                exported = tidepool.analyze(module, (1, 3, size, size)).to_dict()
                for document in (recorded, exported):
                    document["nodes"][0].pop("name")  # how forward() calls its input
                self.assertEqual(recorded, exported)


if __name__ == "__main__":
    unittest.main()
