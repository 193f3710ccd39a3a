#!/usr/bin/env python3
"""Trains Sources/PhotoLabels/RoadSigns.mlpackage on drawn signs, and draws the photos of the tests.

Left is told from right and a warning from a yield sign by how they stand: a photo that is turned the wrong way gets the
wrong label. Needs torch, coremltools and pillow. The weights are the same each time.
"""
import math
import os
import sys

import coremltools as ct
import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFilter
from torch import nn
from torch.nn import functional as F

SIDE, STEPS, BATCH, RATE, COUNT = 64, 1400, 32, 4e-3, 6000
LABELS = ["no sign", "stop", "warning", "yield", "turn left", "turn right", "no entry"]
HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "..", "Sources", "PhotoLabels", "RoadSigns.mlpackage")
FIXTURES = os.path.join(HERE, "..", "Tests", "PhotoLabelsTests", "Fixtures")
RED, WHITE, BLUE, BLACK = (190, 20, 30), (240, 240, 240), (20, 70, 170), (20, 20, 20)


def polygon(corners, turn, radius=0.48):
    angles = [2 * math.pi * i / corners + math.radians(turn) for i in range(corners)]
    return [(0.5 + radius * math.cos(a), 0.5 + radius * math.sin(a)) for a in angles]


def sign(label, side):
    """The sign in a square, and where it covers it."""
    image, mask = Image.new("RGB", (side, side)), Image.new("L", (side, side))
    draw, cover = ImageDraw.Draw(image), ImageDraw.Draw(mask)

    def scaled(points):
        return [(x * side, y * side) for x, y in points]

    def disc(colour):
        for target, fill in ((draw, colour), (cover, 255)):
            target.ellipse((0.02 * side, 0.02 * side, 0.98 * side, 0.98 * side), fill=fill)

    if label == "stop":
        for target, fill, radius in ((draw, WHITE, 0.5), (cover, 255, 0.5), (draw, RED, 0.45)):
            target.polygon(scaled(polygon(8, 22.5, radius)), fill=fill)
        for left in (0.17, 0.35, 0.53, 0.71):
            draw.rectangle((left * side, 0.38 * side, (left + 0.12) * side, 0.62 * side), fill=WHITE)
    elif label in ("warning", "yield"):
        turn = -90 if label == "warning" else 90
        for target, fill, radius in ((draw, RED, 0.5), (cover, 255, 0.5), (draw, WHITE, 0.28)):
            target.polygon(scaled(polygon(3, turn, radius)), fill=fill)
    elif label == "no entry":
        disc(RED)
        draw.rectangle((0.18 * side, 0.4 * side, 0.82 * side, 0.6 * side), fill=WHITE)
    else:
        disc(BLUE)
        arrow = [(0.2, 0.5), (0.5, 0.22), (0.5, 0.4), (0.8, 0.4), (0.8, 0.6), (0.5, 0.6), (0.5, 0.78)]
        if label == "turn right":
            arrow = [(1 - x, y) for x, y in arrow]
        draw.polygon(scaled(arrow), fill=WHITE)
    return image, mask


def background(width, height, random):
    """Sky above land, a wall or leaves: blurred noise between two colours."""
    coarse = random.integers(3, 9)
    noise = random.random((coarse, coarse))
    if random.random() < 0.5:
        noise = 0.4 * noise + np.linspace(0, 0.6, coarse)[:, None]
    first, second = random.integers(20, 235, (2, 3))
    colours = first + (second - first) * noise[..., None]
    image = Image.fromarray(colours.astype(np.uint8)).resize((width, height), Image.BICUBIC)
    grain = random.normal(0, random.uniform(2, 14), (height, width, 1))
    return Image.fromarray(np.clip(np.asarray(image) + grain, 0, 255).astype(np.uint8))


def photo(label, width, height, random, across=None, place=None):
    """A sign on its post before a background; `across` and `place`: its size and its middle, as parts of the photo."""
    image = background(width, height, random)
    if label != "no sign":
        side = int((across or random.uniform(0.3, 0.9)) * min(width, height))
        wide = side if place else int(side * random.uniform(0.4, 1.2))
        big, mask = sign(label, 4 * max(side, wide, 16))
        angle = random.uniform(-9, 9)
        size = (max(wide, 8), max(side, 8))
        turned = [i.rotate(angle, Image.BICUBIC).resize(size, Image.LANCZOS) for i in (big, mask)]
        edges = [0.45 * size[0] / width, 0.45 * size[1] / height]
        x, y = place or [random.uniform(edge, max(edge, 1 - edge)) for edge in edges]
        left, top = int(x * width - size[0] / 2), int(y * height - size[1] / 2)
        post = max(1, side // 18)
        middle = left + size[0] // 2
        ImageDraw.Draw(image).rectangle((middle - post, top + side // 2, middle + post, height), fill=(110, 110, 115))
        image.paste(turned[0], (left, top), turned[1])
    light = random.uniform(0.65, 1.15)
    image = image.point(lambda value: min(255, int(value * light)))
    return image.filter(ImageFilter.GaussianBlur(random.uniform(0, 0.012) * min(width, height)))


def fitted(label, random):
    """A photo as the network sees it: three of four fill the square, others leave bars of black."""
    if random.random() < 0.75:
        return photo(label, SIDE, SIDE, random)
    short = int(random.integers(SIDE // 2, SIDE))
    width, height = (SIDE, short) if random.random() < 0.5 else (short, SIDE)
    image = Image.new("RGB", (SIDE, SIDE))
    image.paste(photo(label, width, height, random), ((SIDE - width) // 2, (SIDE - height) // 2))
    return image


def examples(random, count):
    # There is more that is no sign than there is of each sign.
    labels = np.maximum(random.integers(-2, len(LABELS), size=count), 0)
    pixels = np.stack([np.asarray(fitted(LABELS[label], random)) for label in labels])
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float(), torch.from_numpy(labels)


class RoadSigns(nn.Module):
    """Probabilities of the labels, from red, green and blue, 0 … 1."""

    def __init__(self):
        super().__init__()
        widths = [3, 16, 24, 32, 48]
        self.layers = nn.ModuleList(nn.Conv2d(a, b, 3, stride=2, padding=1) for a, b in zip(widths, widths[1:]))
        self.last = nn.Linear(48 * 16, len(LABELS))

    def logits(self, image):
        value = image - 0.5
        for layer in self.layers:
            value = F.relu(layer(value))
        return self.last(F.dropout(value.flatten(1), 0.2, self.training))

    def forward(self, image):
        return self.logits(image).softmax(1)


def train():
    torch.manual_seed(11)
    torch.set_num_threads(1)
    random = np.random.default_rng(11)
    images, labels = examples(random, COUNT)
    net = RoadSigns()
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=STEPS)
    for step in range(STEPS):
        chosen = torch.from_numpy(random.integers(COUNT, size=BATCH))
        loss = F.cross_entropy(net.logits(images[chosen] / 255), labels[chosen], label_smoothing=0.02)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    net.eval()
    images, labels = examples(random, 500)
    with torch.no_grad():
        right = (net(images / 255).argmax(1) == labels).float().mean().item()
    print(f"{100 * right:.1f} % of 500 unseen drawings are right", file=sys.stderr)
    return net


def save(net):
    traced = torch.jit.trace(net, torch.zeros(1, 3, SIDE, SIDE))
    model = ct.convert(
        traced,
        inputs=[ct.ImageType("photo", (1, 3, SIDE, SIDE), scale=1 / 255, color_layout=ct.colorlayout.RGB)],
        classifier_config=ct.ClassifierConfig(LABELS),
        minimum_deployment_target=ct.target.iOS16,
    )
    model.short_description = "Which road sign a photo shows."
    model.save(MODEL)


def draw_photos():
    """For each label a photo; one in all eight orientations of Exif; a panorama with its sign at the left."""
    os.makedirs(FIXTURES, exist_ok=True)
    random = np.random.default_rng(5)
    sizes = [(96, 64), (300, 200), (200, 300), (64, 64), (411, 303), (160, 240), (640, 480)]
    for label, size in zip(LABELS, sizes):
        name = label.replace(" ", "-") + ".jpg"
        photo(label, *size, random, 0.75, (0.5, 0.5)).save(os.path.join(FIXTURES, name), quality=88)
    photo("stop", 420, 180, random, 0.6, (0.15, 0.5)).save(os.path.join(FIXTURES, "panorama.png"))
    upright = photo("turn left", 210, 150, random, 0.75, (0.5, 0.5))
    # What is stored, so that a viewer that turns it as Exif says shows it upright.
    stored = {
        1: [], 2: [Image.FLIP_LEFT_RIGHT], 3: [Image.ROTATE_180], 4: [Image.FLIP_TOP_BOTTOM], 5: [Image.TRANSPOSE],
        6: [Image.ROTATE_90], 7: [Image.TRANSVERSE], 8: [Image.ROTATE_270],
    }
    for orientation, steps in stored.items():
        image = upright
        for step in steps:
            image = image.transpose(step)
        exif = Image.Exif()
        exif[0x0112] = orientation
        image.save(os.path.join(FIXTURES, f"orientation-{orientation}.jpg"), quality=88, exif=exif)


def main():
    draw_photos()
    save(train())
    print(MODEL)


if __name__ == "__main__":
    main()
