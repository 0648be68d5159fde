"""Runs LiteRT, TensorFlow's interpreter for devices, which gives pooling to the XNNPACK inside it. A model of one operation, in memory of its own."""

import contextlib
import os
import time

from driver import Cannot


class LiteRtJob:
    note = "works in its own memory"
    rest = 0.08  # seconds; the idle threads of its pool spin for a million pause instructions

    def __init__(self, interpreter, axes):
        self._interpreter, self._axes = interpreter, axes

    def time(self, calls):
        invoke = self._interpreter.invoke
        begin = time.perf_counter()
        for _ in range(calls):
            invoke()
        return time.perf_counter() - begin

    def result(self, case):
        found = self._interpreter.get_tensor(self._interpreter.get_output_details()[0]["index"])
        return found.transpose(self._axes)


@contextlib.contextmanager
def quiet():
    """Drops what a library in C++ prints on standard error: LiteRT's announcement of XNNPACK."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


class LiteRt:
    key, name = "litert", "LiteRT"

    def __init__(self, threads):
        try:
            import ai_edge_litert
            import flatbuffers
            from ai_edge_litert import interpreter, schema_py_generated
        except ImportError as error:
            self.version, self.absent = "", str(error)
            return
        self.version, self.absent = ai_edge_litert.__version__, ""
        self._flatbuffers, self._interpreter, self._schema, self._threads = flatbuffers, interpreter, schema_py_generated, threads

    def job(self, case):
        about = case.about
        if not about["channels_last"]:
            raise Cannot("LiteRT pools channels-last arrays alone")
        if about["pass"] != "fwd":
            raise Cannot("LiteRT has no backward pass")
        if about["indices"] or about["op"] not in ("max", "avg"):
            raise Cannot("LiteRT pools maxima without indices, and averages")
        if about["rank"] != 2 or about["dtype"] != "f32":
            raise Cannot("LiteRT is measured in two dimensions and f32")
        x, y = (case.arrays[name].numpy().transpose(0, 2, 3, 1) for name in ("input", "output"))
        model = self._model(about, x.shape, y.shape)
        try:
            with quiet():
                made = self._interpreter.Interpreter(model_content=bytes(model), num_threads=self._threads)
                made.allocate_tensors()
        except (RuntimeError, ValueError) as error:
            raise Cannot(f"LiteRT: {str(error).splitlines()[0][:140]}") from error
        made.set_tensor(made.get_input_details()[0]["index"], x)
        return LiteRtJob(made, (0, 3, 1, 2))

    def _padding(self, about, windows, outputs):
        """LiteRT has two kinds of padding: none, and as little as gives ceil(size / stride) windows, the larger half behind."""
        padded = any(windows["pad_before"]) or any(windows["pad_after"])
        if not padded:
            return self._schema.Padding.VALID
        if about["op"] == "avg" and about["divisor"] != "valid_only":
            raise Cannot("LiteRT divides by the real elements of a window, this average by the padded ones")
        for i, axis in enumerate(about["axes"]):
            total = max(0, (outputs[i] - 1) * windows["stride"][i] + windows["kernel"][i] - axis["input"])
            if outputs[i] != -(-axis["input"] // windows["stride"][i]) or windows["pad_before"][i] != total // 2:
                raise Cannot("LiteRT pads as TensorFlow does")
        return self._schema.Padding.SAME

    def _model(self, about, x_shape, y_shape):
        schema, windows = self._schema, about["regular"]
        if windows is None or any(d != 1 for d in windows["dilation"]):
            raise Cannot("LiteRT has no such windows")
        options = schema.Pool2DOptionsT()
        options.padding = self._padding(about, windows, y_shape[1:3])
        (options.filterHeight, options.filterWidth), (options.strideH, options.strideW) = windows["kernel"], windows["stride"]
        code = schema.OperatorCodeT()
        code.builtinCode = schema.BuiltinOperator.MAX_POOL_2D if about["op"] == "max" else schema.BuiltinOperator.AVERAGE_POOL_2D
        code.deprecatedBuiltinCode, code.version = code.builtinCode, 1
        operator = schema.OperatorT()
        operator.opcodeIndex, operator.inputs, operator.outputs = 0, [0], [1]
        operator.builtinOptionsType, operator.builtinOptions = schema.BuiltinOptions.Pool2DOptions, options
        graph = schema.SubGraphT()
        graph.tensors, graph.inputs, graph.outputs, graph.operators = [], [0], [1], [operator]
        for name, shape in (("x", x_shape), ("y", y_shape)):
            tensor = schema.TensorT()
            tensor.name, tensor.shape, tensor.type, tensor.buffer = name, list(shape), schema.TensorType.FLOAT32, 0
            graph.tensors.append(tensor)
        model = schema.ModelT()
        model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], [schema.BufferT()]
        builder = self._flatbuffers.Builder(1024)
        builder.Finish(model.Pack(builder), b"TFL3")
        return builder.Output()
