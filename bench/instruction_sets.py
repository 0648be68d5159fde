"""Which settings keep other libraries from using better instruction sets than tidepool does with --target."""

# Read by PyTorch and what it compiles, by oneDNN (since 3.0, and before), which is in OpenVINO too, and by Intel's MKL inside PyTorch.
SETTINGS = ("ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA", "MKL_ENABLE_INSTRUCTIONS")
AVX2 = dict(zip(SETTINGS, ("avx2", "AVX2", "AVX2", "AVX2"), strict=True))
SSE4 = dict(zip(SETTINGS, ("default", "SSE41", "SSE41", "SSE4_2"), strict=True))

# The others have no such setting.
RESTRICTED = ("pytorch", "torch_compile", "openvino", "onednn")


def environment(target):
    """Environment variables to set before the libraries are loaded. AVX3 is Highway's name of AVX-512, which all of them can use."""
    if target == "AVX2":
        return dict(AVX2)
    return dict(SSE4) if target.startswith(("SSE", "SSSE", "SCALAR", "EMU")) else {}


def note(target, names):
    """Says which libraries a run with --target restricts. `names`: of the libraries that it measures, by key."""
    if not environment(target):
        return ""
    held = [name for key, name in names.items() if key in RESTRICTED]
    free = [name for key, name in names.items() if key not in RESTRICTED]
    parts = [f"{', '.join(held)} restricted to it"] if held else []
    parts += [f"{', '.join(free)} not restricted, for want of a setting"] if free else []
    return "; ".join(parts)
