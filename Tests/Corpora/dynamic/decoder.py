"""A language model's decoder as onnxruntime's builder writes it: weights of 4 bits, a cache of keys and values."""
import zlib

import numpy as np

from .graph import FLOAT, INT64, Graph

MS = {"domain": "com.microsoft"}
WIDTH, HEADS, GROUPS, HEAD, WORDS, BLOCK = 64, 4, 2, 16, 50, 32


def product(g, x, rows, columns):
    """`x · W` by codes of 4 bits, a scale for each block of a column of W, drawn by the name of the codes."""
    draw = np.random.Generator(np.random.PCG64(zlib.crc32(f"{g.name}/{len(g.initializers)}".encode())))
    codes = draw.integers(0, 256, (columns, rows // BLOCK, BLOCK // 2)).astype(np.uint8)
    scales = draw.uniform(0.1, 0.3, (columns, rows // BLOCK)).astype(np.float32) * np.float32(rows**-0.5)
    form = dict(K=rows, N=columns, bits=4, block_size=BLOCK)
    return g.MatMulNBits(x, g.tensor(codes), g.tensor(scales), **form, **MS)


def normed(g, x, skip=None):
    """The sum of both, and what it is when it is normalised."""
    scale = g.tensor(np.linspace(0.5, 1.5, WIDTH, dtype=np.float32))
    if skip is None:
        return x, g.SimplifiedLayerNormalization(x, scale, axis=-1, epsilon=1e-5)
    y, _, _, total = g.SkipSimplifiedLayerNormalization(x, skip, scale, outputs=4, epsilon=1e-5, **MS)
    # Moments are left out.
    g.nodes[-1].output[1] = g.nodes[-1].output[2] = ""
    return total, y


def packed_decoder(layers=2):
    g = Graph("packed_decoder")
    ids = g.input("input_ids", INT64, "batch", "length")
    mask = g.input("attention_mask", INT64, "batch", "total")
    shape = ("batch", GROUPS, "past", HEAD)
    past = [[g.input(f"past.{layer}.{kind}", FLOAT, *shape) for kind in ("key", "value")] for layer in range(layers)]
    last = g.Cast(g.Sub(g.ReduceSum(mask, g.constant([1]), keepdims=1), g.constant([[1]])), to=6)
    total = g.Cast(g.size(mask, 1), to=6)
    angles = np.outer(np.arange(64), 1e4 ** -(np.arange(HEAD // 2) / (HEAD // 2))).astype(np.float32)
    tables = [g.tensor(np.cos(angles)), g.tensor(np.sin(angles))]
    x, skip = g.Gather(g.weight(WORDS, WIDTH, scale=1), ids), None
    present = []
    for layer in range(layers):
        x, y = normed(g, x, skip)
        packed = product(g, y, WIDTH, (HEADS + 2 * GROUPS) * HEAD)
        heads = dict(num_heads=HEADS, kv_num_heads=GROUPS, do_rotary=1)
        operands = [packed, "", "", *past[layer], last, total, *tables]
        y, *cache = g.GroupQueryAttention(*operands, outputs=3, **heads, **MS)
        present.append(cache)
        x, y = normed(g, x, product(g, y, WIDTH, WIDTH))
        gate, up = product(g, y, WIDTH, 2 * WIDTH), product(g, y, WIDTH, 2 * WIDTH)
        skip = product(g, g.Mul(g.Mul(gate, g.Sigmoid(gate)), up), 2 * WIDTH, WIDTH)
    g.output(product(g, normed(g, x, skip)[1], WIDTH, WORDS), "logits", FLOAT, 3)
    for layer, cache in enumerate(present):
        for kind, value in zip(("key", "value"), cache):
            g.output(value, f"present.{layer}.{kind}", FLOAT, 4)
    return g
