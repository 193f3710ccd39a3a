#!/usr/bin/env python3
"""Training beside PyTorch: the same weights, the same batches, step by step.

  training.py [--mlc PATH] [--steps N] [--threads N] [--rounds N] [NAME ...]
  training.py --check [...]

The networks of training_networks.py are written as ONNX with their first weights, and trained by 'mlc update' and by
PyTorch, in turns, each in a process of its own. Prints a line for each:
  apart       the most that a step's loss differs, over PyTorch's
  torch, mlc  milliseconds of a step, the median of all rounds
  ratio, cpu  mlc's over PyTorch's: medians over rounds of a step's time, and of its processor time
  MB          the most memory of each process, PyTorch's and mlc's, compiling included
and the geometric mean of the ratios. --check compares the losses alone, with one thread and with two, whose bits have to
be the same. The command ends with 1 where a loss is more than --most apart, or bits differ.
Needs what requirements-torch.txt lists.
"""
import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

SEED = 17


def by_torch(name, steps, threads):
    """Trains in this process, and prints what 'mlc update --json' says of steps."""
    import torch

    import training_networks

    torch.set_num_threads(threads)
    task = training_networks.TASKS[name]
    module, (x, labels) = task.module(SEED), task.data(SEED, steps)
    optimizer = getattr(torch.optim, task.optimizer)(module.parameters(), **task.settings)
    x, labels, size = torch.from_numpy(x), torch.from_numpy(labels), task.shape[0]
    log = {"loss": [], "ms": [], "cpu_ms": []}
    for place in range(0, steps * size, size):
        start, cpu = time.perf_counter(), time.process_time()
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(module(x[place:place + size]), labels[place:place + size])
        loss.backward()
        optimizer.step()
        log["loss"].append(loss.item())
        log["ms"].append((time.perf_counter() - start) * 1e3)
        log["cpu_ms"].append((time.process_time() - cpu) * 1e3)
    print(json.dumps({"steps": log, "rss_peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


def export(name, folder, steps):
    """NAME.onnx with the first weights, whose batch norms stay, and NAME.npz with all batches."""
    import torch

    import training_networks

    task = training_networks.TASKS[name]
    module, (x, labels) = task.module(SEED).eval(), task.data(SEED, steps)
    torch.onnx.export(
        module, torch.from_numpy(x[:task.shape[0]]), f"{folder}/{name}.onnx", input_names=["x"], dynamo=False,
        training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False, opset_version=17)
    np.savez(f"{folder}/{name}.npz", x=x, target=labels)


def answer(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1]) if done.stdout.strip() else None


def itself(*arguments):
    return answer(sys.executable, "-W", "ignore", os.path.abspath(__file__), *map(str, arguments))


def by_mlc(name, options, threads):
    import training_networks

    model = f"{options.out}/{name}"
    command = [
        "update", f"{model}.onnx", "--data", f"{model}.npz", "-o", f"{model}.mlpackage", "--loss", "cross-entropy",
        "--epochs", "1", "--no-shuffle", "--json", "--threads", str(threads), *training_networks.TASKS[name].options]
    return answer(options.mlc, *command)


def apart(ours, theirs):
    return max(abs(a - b) / abs(b) for a, b in zip(ours["steps"]["loss"], theirs["steps"]["loss"], strict=True))


def median(run, key):
    """Without the first steps, which fill caches."""
    return statistics.median(run["steps"][key][3:])


def measured(name, options):
    rounds = [(itself("--torch", name, "--steps", options.steps, "--threads", options.threads),
               by_mlc(name, options, options.threads)) for _ in range(options.rounds)]
    ratio, cpu = (statistics.median(median(b, key) / median(a, key) for a, b in rounds) for key in ("ms", "cpu_ms"))
    worst = max(apart(ours, theirs) for theirs, ours in rounds)
    times = [statistics.median(median(pair[side], "ms") for pair in rounds) for side in (0, 1)]
    memory = [max(pair[side]["rss_peak_mb"] for pair in rounds) for side in (0, 1)]
    print(f"{name:20} {worst:9.1e} {times[0]:8.2f} {times[1]:8.2f} {ratio:6.2f} {cpu:6.2f}"
          f" {memory[0]:6.0f} {memory[1]:6.0f}", flush=True)
    return worst, ratio, cpu


def checked(name, options):
    theirs = itself("--torch", name, "--steps", options.steps, "--threads", 1)
    ours = [by_mlc(name, options, threads) for threads in (1, 2)]
    worst, same = apart(ours[0], theirs), ours[0]["steps"]["loss"] == ours[1]["steps"]["loss"]
    print(f"{name:20} {worst:9.1e} {'the same bits' if same else 'other bits with two threads'}", flush=True)
    return worst if same else math.inf


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--mlc", default=".build/release/mlc")
    parser.add_argument("--out", default=".cache/training", help="folder for models and batches")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=float, default=1e-3, help="how far losses may be apart")
    parser.add_argument("--check", action="store_true", help="compare losses alone")
    parser.add_argument("--torch", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--export", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.torch:
        return by_torch(options.torch, options.steps, options.threads)
    if options.export:
        return export(options.export, options.out, options.steps)
    import training_networks

    os.makedirs(options.out, exist_ok=True)
    results = []
    if not options.check:
        print(f"{'':20} {'apart':>9} {'torch ms':>8} {'mlc ms':>8} {'ratio':>6} {'cpu':>6} {'MB':>6} {'mlc MB':>6}")
    for name in options.names or training_networks.TASKS:
        itself("--export", name, "--out", options.out, "--steps", options.steps)
        results.append(checked(name, options) if options.check else measured(name, options))
    if options.check:
        return sys.exit(max(results) > options.most)
    print(f"geometric mean: {mean([r[1] for r in results]):.3f}, of processor time {mean([r[2] for r in results]):.3f}")
    sys.exit(max(r[0] for r in results) > options.most)


if __name__ == "__main__":
    main()
