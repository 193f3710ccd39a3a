"""Nodes of onnxruntime's domain that decoders are made of: products by packed integers, attention, rotation."""
import ml_dtypes
import numpy as np

from quantised.operators import model

MS = {"domain": "com.microsoft"}
F32, I32, I64 = np.float32, np.int32, np.int64


def packed_weights(n):
    for bits, depth, block in [(4, 64, 32), (4, 40, 16), (8, 48, 16), (2, 64, 32), (4, 96, 32)]:
        columns, blocks = 6, -(-depth // block)
        packed = n.bytes(np.uint8, columns, blocks, block * bits // 8)
        scales, zeros = n.scale(columns, blocks), n.bytes(np.uint8, columns, -(-blocks * bits // 8))
        options = {"K": depth, "N": columns, "block_size": block, "bits": bits}
        n("MatMulNBits", [n.normal(2, 3, depth)], packed, scales, options=options, **MS)
        n("MatMulNBits", [n.normal(1, depth)], packed, scales, zeros, None, n.normal(columns), options=options, **MS)
    ids = n.draw.integers(-9, 9, (2, 3)).astype(I64)
    for bits, width in [(4, 32), (8, 64)]:
        table, scales = n.bytes(np.uint8, 9, width), n.scale(9, width * 8 // bits // 32)
        zeros = n.bytes(np.uint8, 9, scales.shape[1] * bits // 8)
        options = {"bits": bits, "block_size": 32, "gather_axis": 0, "quantize_axis": 1}
        n("GatherBlockQuantized", [], table, ids, scales, options=options, **MS)
        n("GatherBlockQuantized", [], table, ids, scales, zeros, options=options, **MS)


def standard_weights(n):
    """Products by weights of 4 bits and of bytes in blocks: as they are, turned, and as a Gemm reads them."""
    for kind, offset in [(ml_dtypes.int4, 0), (ml_dtypes.uint4, 3), (np.int8, 5)]:
        codes = n.draw.integers(0, 8, (32, 6)).astype(kind)
        zeros = np.full((4, 6), offset).astype(kind)
        blocks = {"axis": 0, "block_size": 8}
        weight = n("DequantizeLinear", [], codes, n.scale(4, 6), zeros, options=blocks)
        n("MatMul", [n.normal(3, 32), weight])
        weight = n("DequantizeLinear", [], codes.T.copy(), n.scale(6, 4), options={"axis": 1, "block_size": 8})
        n("MatMul", [n.normal(3, 32), n("Transpose", [weight], options={"perm": [1, 0]})])
        n("Gemm", [n.normal(3, 32), weight], n.normal(6), options={"transB": 1})
    by_column = n("DequantizeLinear", [], codes.astype(ml_dtypes.int4), n.scale(6), options={"axis": 1})
    n("MatMul", [n.normal(1, 32), by_column])


def rotation(n):
    angles = n.normal(20, 4)
    tables = [np.cos(angles), np.sin(angles)]
    n("RotaryEmbedding", [n.normal(2, 5, 24), np.array([3], I64)], *tables, **MS)
    places = n.draw.integers(0, 20, (2, 5)).astype(I64)
    n("RotaryEmbedding", [n.normal(2, 3, 5, 8), places], *tables, options={"interleaved": 1}, **MS)
    partial = {"num_heads": 2, "rotary_embedding_dim": 8}
    n("RotaryEmbedding", [n.normal(2, 5, 24), places], *tables, options=partial, **MS)


def multi_head(n):
    heads = {"num_heads": 2}
    bias = n.normal(8 + 8 + 12)
    rows = lambda: [n.normal(2, 3, 8), n.normal(2, 5, 8), n.normal(2, 5, 12)]
    n("MultiHeadAttention", rows(), bias, options=heads, **MS)
    n("MultiHeadAttention", rows(), None, np.array([5, 2], I32), options=heads | {"scale": 0.25}, **MS)
    kept = np.array([[1, 1, 0, 1, 1], [0, 1, 1, 1, 0]], I32)
    n("MultiHeadAttention", rows(), None, kept, n.normal(1, 2, 3, 5), options=heads, **MS)
    n("MultiHeadAttention", [n.normal(2, 3, 8), n.normal(2, 2, 5, 4), n.normal(2, 2, 5, 4)], options=heads, **MS)
    same = [n.normal(2, 3, 8), n.normal(2, 3, 8), n.normal(2, 3, 8)]
    past = [n.normal(2, 2, 4, 4), n.normal(2, 2, 4, 4)]
    causal = heads | {"unidirectional": 1}
    n("MultiHeadAttention", same, n.normal(24), None, None, *past, outputs=3, options=causal, **MS)


def merged(n):
    rows, weights, bias = n.normal(2, 4, 6), n.normal(6, 24), n.normal(24)
    n("Attention", [rows], weights, bias, options={"num_heads": 2}, **MS)
    n("Attention", [rows], weights, bias, np.array([4, 2], I32), options={"num_heads": 4}, **MS)
    past = n.normal(2, 2, 2, 3, 4)
    kept = np.array([[1, 1, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 0]], I32)
    causal = {"num_heads": 2, "unidirectional": 1}
    n("Attention", [rows], weights, bias, kept, past, outputs=2, options=causal, **MS)
    uneven = {"num_heads": 2, "qkv_hidden_sizes": [8, 8, 16]}
    n("Attention", [rows], n.normal(6, 32), n.normal(32), options=uneven, **MS)


def quantised(n):
    """Merged attention by integers: weights with one scale for each column, and a past."""
    x, weights = n.bytes(np.uint8, 2, 4, 6), n.bytes(np.int8, 6, 24) // 2
    zeros = [np.uint8(120), np.zeros(24, np.int8)]
    n("QAttention", [x], weights, n.normal(24), F32(0.02), n.scale(24) / 10, None, *zeros, options={"num_heads": 2}, **MS)
    kept = np.array([[1, 1, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 0]], I32)
    rest = [F32(0.02), F32(0.01), kept, np.uint8(120), np.int8(0), n.normal(2, 2, 2, 3, 4)]
    causal = {"num_heads": 2, "unidirectional": 1}
    n("QAttention", [x], weights, n.normal(24), *rest, outputs=2, options=causal, **MS)


def grouped(n):
    """A prompt of two batches, the second shorter; steps behind one: into a cache that has room, into one that has none,
    of several elements, of two batches, and with all three operands in one."""
    heads = {"num_heads": 4, "kv_num_heads": 2}
    angles = n.normal(32, 8)
    tables = [np.cos(angles), np.sin(angles)]

    def attention(batch, length, past, last, *constants, packed=False, **options):
        new = [n.normal(batch, length, 128)] if packed else [n.normal(batch, length, size) for size in (64, 32, 32)]
        cache = [n.normal(batch, 2, past, 16), n.normal(batch, 2, past, 16)]
        # What stands behind the last element of a batch may be anything: onnxruntime has 0 there.
        for part in cache:
            for index, end in enumerate(last):
                part[index, :, end + 1 - length :] = 0
        ends = [np.array(last, I32), np.array(max(last) + 1, I32)]
        operands = [*new, None, None] if packed else new
        n("GroupQueryAttention", [*operands, *cache, *ends], *constants, outputs=3, options=heads | options, **MS)

    attention(2, 5, 0, [4, 4], *tables, do_rotary=1)
    attention(1, 1, 6, [6], *tables, do_rotary=1)
    attention(1, 1, 9, [7], *tables, do_rotary=1, rotary_interleaved=1, local_window_size=3, scale=0.5)
    attention(1, 3, 4, [6], *tables, do_rotary=1)
    attention(2, 1, 6, [6, 6], softcap=2.0)
    attention(2, 1, 6, [6, 3], *tables, do_rotary=1)
    attention(1, 4, 0, [3], *tables, packed=True, do_rotary=1)


def decoders():
    return model(packed_weights, standard_weights, rotation, multi_head, merged, quantised, grouped)
