"""Quantized numbers."""

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from programs import case, iOS17, ints, rand
from reference import ort


def dequantized(x, kind, scale, zero_point=0, axis=None):
    def along(value):
        return np.asarray(value, np.float32).reshape([-1 if place == axis else 1 for place in range(x.ndim)]) if axis is not None else (
            np.float32(value))
    info = np.iinfo(kind)
    codes = np.clip(np.round(x / along(scale)) + along(zero_point), info.min, info.max)
    return (codes - along(zero_point)) * along(scale)


x = rand(2, 3, 4, low=-3, high=3)
for name, kind, options in [
    ("number", "int8", dict(scale=np.float32(0.05))), ("zero", "uint8", dict(scale=np.float32(0.03), zero_point=np.uint8(90))),
    ("axis", "int8", dict(scale=np.float32([0.1, 0.02, 0.3]), zero_point=np.int8([3, -2, 0]), axis=1)),
]:
    case(f"quantize_{name}", [x], lambda x: mb.quantize(input=x, output_dtype=kind, **options), None, iOS17)
    case(f"dequantize_{name}", [x], lambda x: mb.dequantize(
        input=mb.quantize(input=x, output_dtype=kind, **options), **options), (
        lambda x: dequantized(x, kind, **options)), iOS17)
w, b = ints(0, 256, 4, 3, 2, 2).astype(np.uint8), ints(0, 9, 4).astype(np.uint8)
case("conv_quantized", [rand(1, 3, 5, 4)], lambda x: mb.conv_quantized(
    x=x, weight=w, bias=b, quantization_type="linear", nbits=8, quant_scale=np.float32(0.02), quant_bias=np.float32(-1.5)), (
    lambda x: ort("Conv", x, w.astype(np.float32) * np.float32(0.02) - np.float32(1.5), b.astype(np.float32))))
