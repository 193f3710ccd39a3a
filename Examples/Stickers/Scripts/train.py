#!/usr/bin/env python3
"""Trains Sources/Stickers/StickerBook.mlmodel: a network whose features tell drawings apart, and nearest neighbours.

The network sees made-up signs, new ones at each step: a few strokes, and the same strokes as an unsteady hand repeats
them. It learns that repetitions lie near to each other and other signs do not. No sign is a sticker of the example. The
neighbours begin with signs too, all of them labelled "unknown".

Needs jax, coremltools, numpy and pillow:
pip install jax==0.10.2 coremltools==9.0 numpy==2.4.6 pillow==13.0.0.
The weights are the same each time on one kind of machine.
"""
import os
import sys

import coremltools as ct
import jax
import numpy as np
from coremltools.models import datatypes
from coremltools.models.nearest_neighbors import KNearestNeighborsClassifierBuilder
from coremltools.models.neural_network import NeuralNetworkBuilder
from jax import numpy as jnp
from PIL import Image, ImageDraw

SIDE, FINE, WIDTHS, FEATURES = 40, 4, [1, 12, 24, 32, 48], 48
STEPS, RATE, CLASSES, SHOTS, QUERIES, SHARPNESS = 2400, 3e-3, 32, 3, 3, 12.0
STROKES, POINTS, BACKGROUND, NEIGHBORS, UNKNOWN = 6, 13, 300, 1, "unknown"
HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "..", "Sources", "Stickers", "StickerBook.mlmodel")


def resampled(points):
    """POINTS of them, equally far from each other along the line."""
    lengths = np.hypot(*np.diff(points, axis=0).T)
    along = np.concatenate([[0], np.cumsum(lengths)])
    places = np.linspace(0, along[-1], POINTS)
    return np.stack([np.interp(places, along, points[:, axis]) for axis in (0, 1)], 1)


def stroke(random):
    """A line, a bent line, a polygon, an arc or a curve."""
    kind, middle = random.integers(5), random.uniform(-0.7, 0.7, 2)
    if kind == 0:
        points = random.uniform(-1, 1, (2, 2))
    elif kind == 1:
        points = random.uniform(-1, 1, (random.integers(3, 6), 2))
    elif kind == 2:
        corners, turn = random.integers(3, 7), random.uniform(0, 2 * np.pi)
        angles = turn + 2 * np.pi * np.arange(corners + 1) / corners
        points = middle + np.stack([np.cos(angles), np.sin(angles)], 1) * random.uniform(0.2, 1, 2)
    elif kind == 3:
        extent = 2 * np.pi if random.random() < 0.5 else random.uniform(1.5, 5)
        angles = random.uniform(0, 2 * np.pi) + np.linspace(0, extent, 40)
        points = middle + np.stack([np.cos(angles), np.sin(angles)], 1) * random.uniform(0.15, 1, 2)
    else:
        a, b, c, d = random.uniform(-1, 1, (4, 2))
        t = np.linspace(0, 1, 40)[:, None]
        points = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
    return resampled(points)


def sign(random):
    """Some strokes, in a square from -1 to 1; some signs are symmetric."""
    strokes = [stroke(random) for _ in range(random.integers(1, STROKES))]
    if len(strokes) <= STROKES // 2 and random.random() < 0.6:
        strokes += [s * [-1, 1] for s in strokes]
    return fitted(strokes)


def relative(points, random):
    """A sign that differs from another in one stroke."""
    strokes = list(points[~np.isnan(points[:, 0, 0])])
    strokes[random.integers(len(strokes))] = stroke(random)
    return fitted(strokes)


def fitted(strokes):
    """The strokes as large as the square, and NaN for those that are not there."""
    points = np.full((STROKES, POINTS, 2), np.nan)
    points[: len(strokes)] = strokes
    low, high = np.nanmin(points, (0, 1)), np.nanmax(points, (0, 1))
    return 2 * (points - (low + high) / 2) / max((high - low).max(), 1e-3)


def signs(count, random):
    """Signs of which every fourth resembles the one before it."""
    made = []
    for number in range(count):
        made.append(relative(made[-1], random) if number % 4 == 3 else sign(random))
    return made


def repeated(points, random):
    """The sign as it is drawn another time, in pixels: slanted, stretched, moved, bent, and each stroke on its own."""
    bent = points.copy()
    for axis in (0, 1):
        for _ in range(2):
            wave, phase = random.normal(0, 2, 2), random.uniform(0, 2 * np.pi)
            bent[..., axis] += random.normal(0, 0.045) * np.sin(points @ wave + phase)
    bent += random.normal(0, 0.035, (STROKES, 1, 2)) + random.normal(0, 0.012, points.shape)
    angle, shear = random.normal(0, 0.1), random.normal(0, 0.08)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ [[1, shear], [0, 1]]
    size = random.uniform(0.5, 0.82) * SIDE / 2 * random.uniform(0.9, 1.1, 2)
    room = np.maximum(SIDE / 2 - 2 - size, 0) * 0.7
    return bent @ turn.T * size + SIDE / 2 + random.uniform(-room, room)


def picture(points, width):
    """Ink from 0 to 1: strokes with round ends."""
    image = Image.new("L", (FINE * SIDE, FINE * SIDE))
    pen = ImageDraw.Draw(image)
    for line in points[~np.isnan(points[:, 0, 0])] * FINE:
        pen.line([tuple(point) for point in line], 255, round(width * FINE), "curve")
        for x, y in line[[0, -1]]:
            reach = width * FINE / 2
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), 255)
    return np.asarray(image.resize((SIDE, SIDE), Image.BOX), np.float32) / 255


def drawings(signs, count, random):
    """Pictures of `count` drawings of each sign, one sign after the other."""
    return np.stack([picture(repeated(s, random), random.uniform(1, 2.6)) for s in signs for _ in range(count)])


def network(weights, images):
    """Features of length 1, from ink that is 1 on paper that is 0."""
    value = images[:, None]
    for kernel, bias in weights[:-1]:
        # As a product with the nine shifted pictures, which is faster than a convolution and its gradient.
        padded, side = jnp.pad(value, ((0, 0), (0, 0), (1, 1), (1, 1))), value.shape[2]
        shifted = [padded[:, :, i : i + side : 2, j : j + side : 2] for i in range(3) for j in range(3)]
        value = jnp.einsum("snchw,kcs->nkhw", jnp.stack(shifted), kernel.reshape(*kernel.shape[:2], 9))
        value = jax.nn.relu(value + bias[:, None, None])
    matrix, bias = weights[-1]
    value = value.reshape(len(value), -1) @ matrix.T + bias
    return value / jnp.sqrt((value * value).sum(1, keepdims=True) + 1e-6)


def initial(random):
    weights = []
    for a, b in zip(WIDTHS, WIDTHS[1:]):
        weights.append((random.normal(0, np.sqrt(2 / (9 * a)), (b, a, 3, 3)), np.zeros(b)))
    inputs = WIDTHS[-1] * ((SIDE + 15) // 16) ** 2
    weights.append((random.normal(0, np.sqrt(1 / inputs), (FEATURES, inputs)), np.zeros(FEATURES)))
    return jax.tree.map(lambda value: jnp.asarray(value, jnp.float32), weights)


def loss(weights, pictures):
    """How improbable the right signs are, where a neighbour is chosen the likelier the nearer it is."""
    values = network(weights, pictures).reshape(CLASSES, SHOTS + QUERIES, FEATURES)
    known, asked = values[:, :SHOTS].reshape(-1, FEATURES), values[:, SHOTS:].reshape(-1, FEATURES)
    chances = jax.nn.softmax(2 * SHARPNESS * asked @ known.T, 1).reshape(-1, CLASSES, SHOTS).sum(2)
    right = chances[jnp.arange(len(asked)), jnp.repeat(jnp.arange(CLASSES), QUERIES)]
    return -jnp.log(right + 1e-9).mean()


@jax.jit
def step(weights, means, squares, number, pictures):
    """Adam's, with a rate that rises and falls."""
    value, slopes = jax.value_and_grad(loss)(weights, pictures)
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, slopes)
    squares = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, squares, slopes)
    rate = RATE * jnp.minimum(number / 100, 1) * (0.5 + 0.5 * jnp.cos(np.pi * number / STEPS))

    def moved(w, m, s):
        return w - rate * (m / (1 - 0.9**number)) / (jnp.sqrt(s / (1 - 0.999**number)) + 1e-8)

    return jax.tree.map(moved, weights, means, squares), means, squares, value


def train(random):
    weights = initial(random)
    means = squares = jax.tree.map(jnp.zeros_like, weights)
    recent = []
    for number in range(1, STEPS + 1):
        pictures = drawings(signs(CLASSES, random), SHOTS + QUERIES, random)
        weights, means, squares, value = step(weights, means, squares, float(number), pictures)
        recent.append(float(value))
        if number % 100 == 0:
            print(f"step {number}: loss {np.mean(recent[-100:]):.3f}", file=sys.stderr, flush=True)
    return jax.tree.map(np.asarray, weights)


def feature_network(weights):
    """The network as Core ML's: ink is black, paper white."""
    builder = NeuralNetworkBuilder(
        [("drawing", datatypes.Array(1, SIDE, SIDE))], [("features", datatypes.Array(FEATURES))]
    )
    value = "drawing"
    for number, (kernel, bias) in enumerate(weights[:-1]):
        outputs, inputs = kernel.shape[:2]
        builder.add_convolution(
            f"conv{number}", inputs, outputs, 3, 3, 2, 2, "valid", 1, kernel.transpose(2, 3, 1, 0), bias, True,
            input_name=value, output_name=f"sum{number}",
            padding_top=1, padding_bottom=1, padding_left=1, padding_right=1,
        )
        builder.add_activation(f"relu{number}", "RELU", f"sum{number}", f"active{number}")
        value = f"active{number}"
    matrix, bias = weights[-1]
    builder.add_flatten("flat", 0, value, "flat")
    builder.add_inner_product("dense", matrix, bias, matrix.shape[1], FEATURES, True, "flat", "long")
    builder.add_l2_normalize("normalize", "long", "features", epsilon=1e-6)
    builder.set_pre_processing_parameters(image_input_names=["drawing"], gray_bias=1, image_scale=-1 / 255)
    return builder.spec


def neighbours(samples):
    builder = KNearestNeighborsClassifierBuilder("features", "label", FEATURES, UNKNOWN, k=NEIGHBORS)
    builder.set_number_of_neighbors_with_bounds(NEIGHBORS, allowed_range=(1, 15))
    builder.add_samples(samples.tolist(), [UNKNOWN] * len(samples))
    return builder.spec


def save(weights, samples):
    network, last = feature_network(weights), neighbours(samples)
    model = ct.proto.Model_pb2.Model()
    model.specificationVersion, model.isUpdatable = last.specificationVersion, True
    model.description.CopyFrom(last.description)
    for features in (model.description.input, model.description.trainingInput):
        features[0].CopyFrom(network.description.input[0])
    model.description.metadata.shortDescription = "Recognises drawings after three examples of each."
    model.pipelineClassifier.pipeline.models.extend([network, last])
    model.pipelineClassifier.pipeline.names.extend(["features", "neighbours"])
    ct.utils.save_spec(model, MODEL)


def main():
    random = np.random.default_rng(3)
    weights = train(random)
    save(weights, np.asarray(network(weights, drawings(signs(BACKGROUND, random), 1, random))))
    print(MODEL)


if __name__ == "__main__":
    main()
