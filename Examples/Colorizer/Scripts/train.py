#!/usr/bin/env python3
"""Trains Sources/Colorizer/ColourNet.mlpackage, and writes the pictures of the tests.

The network learns the colours of the sample pictures that come with scikit-image and scikit-learn: it has seen six, so it
colours those, and what looks like them. Needs torch, coremltools, pillow, scikit-image and scikit-learn. The weights are the
same each time.
"""
import importlib.util
import os
import sys

import coremltools as ct
import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn import functional as F

SIDE, STEPS, BATCH, RATE = 64, 500, 8, 4e-3
HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "..", "Sources", "Colorizer", "ColourNet.mlpackage")
FIXTURES = os.path.join(HERE, "..", "Tests", "ColorizerTests", "Fixtures")
PICTURES = {
    "skimage": ["data/" + n for n in (
        "astronaut.png", "chelsea.png", "coffee.png", "rocket.jpg")],
    "sklearn": ["datasets/images/china.jpg", "datasets/images/flower.jpg"],
}
# Given to the public domain: the astronaut by NASA, the cat and the cup by those who took them.
TEST_PICTURES = {"astronaut": (192, 192), "chelsea": (225, 150), "coffee": (210, 140)}


def pictures():
    """Names and pictures."""
    for package, files in PICTURES.items():
        (folder,) = importlib.util.find_spec(package).submodule_search_locations
        for file in files:
            name = os.path.splitext(os.path.basename(file))[0]
            yield name, Image.open(os.path.join(folder, file)).convert("RGB")


def lab(rgb):
    """CIE Lab, white D65, of sRGB bytes [height, width, 3]."""
    c = rgb.astype(np.float64) / 255
    c = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    matrix = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    xyz = c @ np.array(matrix).T / [0.95047, 1, 1.08883]
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = f[..., 0], f[..., 1], f[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], 0).astype(np.float32)


class ColourNet(nn.Module):
    """From lightness, 0 … 100, to Lab's a and b: four levels down and up, each with what it was on the way down."""

    def __init__(self, widths=(16, 24, 32, 48, 64)):
        super().__init__()
        self.first = nn.Conv2d(1, widths[0], 3, padding=1)
        self.down = nn.ModuleList(nn.Conv2d(a, b, 3, stride=2, padding=1) for a, b in zip(widths, widths[1:]))
        self.middle = nn.Conv2d(widths[-1], widths[-1], 3, padding=1)
        pairs = list(zip(widths, widths[1:]))[::-1]
        self.up = nn.ModuleList(nn.Conv2d(a + b, a, 3, padding=1) for a, b in pairs)
        self.last = nn.Conv2d(widths[0], 2, 1)

    def forward(self, lightness):
        levels = [F.relu(self.first(lightness / 50 - 1))]
        for layer in self.down:
            levels.append(F.relu(layer(levels[-1])))
        value = F.relu(self.middle(levels.pop()))
        for layer in self.up:
            value = F.interpolate(value, scale_factor=2.0, mode="nearest")
            value = F.relu(layer(torch.cat([value, levels.pop()], 1)))
        return self.last(value) * 50


def sample(images, random):
    """Parts of the pictures, squeezed to the network's size and half of them mirrored; every other is the whole one."""
    batch = []
    for _ in range(BATCH):
        image = images[random.integers(len(images))]
        width, height = image.size
        if random.random() < 0.5:
            w, h = (int(side * random.uniform(0.5, 1)) for side in (width, height))
            left, top = random.integers(width - w + 1), random.integers(height - h + 1)
            image = image.resize((SIDE, SIDE), Image.BILINEAR, box=(left, top, left + w, top + h))
        else:
            image = image.resize((SIDE, SIDE), Image.BILINEAR)
        if random.random() < 0.5:
            image = image.transpose(Image.FLIP_LEFT_RIGHT)
        batch.append(lab(np.asarray(image)))
    return torch.from_numpy(np.stack(batch))


def train(images):
    torch.manual_seed(7)
    torch.set_num_threads(1)
    random = np.random.default_rng(7)
    net = ColourNet()
    optimizer = torch.optim.Adam(net.parameters(), RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=STEPS)
    for step in range(STEPS):
        values = sample(images, random)
        loss = F.smooth_l1_loss(net(values[:, :1]) / 10, values[:, 1:] / 10)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.3f}", file=sys.stderr, flush=True)
    return net.eval()


def save(net):
    traced = torch.jit.trace(net, torch.zeros(1, 1, SIDE, SIDE))
    model = ct.convert(
        traced,
        inputs=[ct.TensorType("lightness", (1, 1, SIDE, SIDE), dtype=np.float32)],
        outputs=[ct.TensorType("colour", dtype=np.float32)],
        minimum_deployment_target=ct.target.iOS16,
    )
    model.short_description = "Colours for a grey picture."
    model.input_description["lightness"] = "L of CIE Lab, 0 … 100"
    model.output_description["colour"] = "a and b of CIE Lab"
    model.save(MODEL)


def main():
    named = dict(pictures())
    os.makedirs(FIXTURES, exist_ok=True)
    for name, size in TEST_PICTURES.items():
        named[name].resize(size, Image.LANCZOS).save(os.path.join(FIXTURES, name + ".jpg"), quality=88)
    # Sizes from which parts are quickly taken.
    images = [image.resize((128, 128), Image.LANCZOS) for image in named.values()]
    net = train(images)
    for name, image in zip(named, images):
        values = torch.from_numpy(lab(np.asarray(image.resize((SIDE, SIDE), Image.BILINEAR))))[None]
        with torch.no_grad():
            error = (net(values[:, :1]) - values[:, 1:]).norm(dim=1).mean().item()
        print(f"{name}: {error:.1f}, grey {values[:, 1:].norm(dim=1).mean().item():.1f}")
    save(net)
    print(MODEL)


if __name__ == "__main__":
    main()
