"""Measures MLTensor beside numpy, in turns: python tensor.py COREML_BENCH [ROUNDS]

Prints for each case the median of both in milliseconds and their ratio; below 1 means faster than numpy. Threads of
numpy's products go on asking for work for more than 50 ms after one, on the other's processor: each turn begins after
a pause.
"""
import statistics
import subprocess
import sys
import time

import numpy as np

PAUSE = 0.2
random = np.random.default_rng(1)
big = random.uniform(0.1, 1, 10_000_000).astype(np.float32)
rows = random.standard_normal((4096, 1000)).astype(np.float32)
left, right = (random.standard_normal((512, 512)).astype(np.float32) for _ in range(2))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@np.errstate(invalid="ignore")
def twenty(x):
    f = np.float32
    a = (x * f(2) + f(1)) * x - f(3)
    b = (a * a + x) * f(0.5) + a
    c = np.maximum(b - a, x) * f(0.25) + f(1)
    d = np.abs(c * c - b) + x * f(3)
    return np.minimum(np.sqrt(d / c + a), f(100)) - b


CASES = {
    "product": lambda: left @ right, "softmax": lambda: softmax(rows), "sum": lambda: big.sum(),
    "sum of rows": lambda: rows.sum(axis=1), "sum of columns": lambda: rows.sum(axis=0), "largest": lambda: big.max(),
    "add": lambda: big + big, "exp": lambda: np.exp(big), "tanh": lambda: np.tanh(big),
    "transpose": lambda: np.ascontiguousarray(rows.T), "twenty": lambda: twenty(big),
}


def timed(function):
    time.sleep(PAUSE)
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main():
    bench = subprocess.Popen([sys.argv[1], "tensors"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def asked(name):
        time.sleep(PAUSE)
        bench.stdin.write(name + "\n")
        bench.stdin.flush()
        return float(bench.stdout.readline())

    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    print(f"{'':16}{'MLTensor':>10}{'numpy':>10}{'ratio':>8}   ms, median of {rounds}")
    for name, function in CASES.items():
        ours, theirs = [], []
        for turn in range(rounds + 2):
            pair = asked(name), timed(function)
            if turn >= 2:
                ours.append(pair[0])
                theirs.append(pair[1])
        a, b = statistics.median(ours), statistics.median(theirs)
        print(f"{name:16}{a * 1e3:10.2f}{b * 1e3:10.2f}{a / b:8.2f}")
    bench.stdin.close()


main()
