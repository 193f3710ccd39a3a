"""Networks that are trained: modules, batches, and how weights follow from gradients.

Needs what requirements-torch.txt lists.
"""
import numpy as np
import torch
from torch import nn


class Perceptron(nn.Sequential):
    def __init__(self, inputs=784, first=512, second=256):
        super().__init__(
            nn.Linear(inputs, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU(), nn.Linear(second, 10))


class Convolutions(nn.Sequential):
    """Convolutions and pools over small pictures, then classes."""

    def __init__(self, size=32, width=32):
        super().__init__(
            nn.Conv2d(3, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
            nn.MaxPool2d(2), nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(2 * width * (size // 4) ** 2, 10))


class Encoder(nn.Module):
    """A layer of BERT's over vectors, then classes from the first place."""

    def __init__(self, width=256, heads=4, inner=1024):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.first, self.second = nn.Linear(width, inner), nn.Linear(inner, width)
        self.norm, self.last = nn.LayerNorm(width), nn.LayerNorm(width)
        self.classes = nn.Linear(width, 10)

    def forward(self, x):
        def split(y):
            return y.view(y.shape[0], y.shape[1], self.heads, -1).transpose(1, 2)

        query, key, value = split(self.query(x)), split(self.key(x)), split(self.value(x))
        shares = torch.softmax(query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5, -1)
        x = self.norm(x + self.out((shares @ value).transpose(1, 2).flatten(2)))
        x = self.last(x + self.second(nn.functional.gelu(self.first(x))))
        return self.classes(x[:, 0])


class Recurrence(nn.Module):
    """An LSTM over vectors, then classes from its last state."""

    def __init__(self, width=64, hidden=128):
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.classes = nn.Linear(hidden, 10)

    def forward(self, x):
        return self.classes(self.lstm(x)[0][:, -1])


class LastBlock(nn.Sequential):
    """The end of MobileNetV2: an inverted residual, a convolution, a pool, the classifier."""

    def __init__(self, width=160, inner=960, outer=320, features=1280, classes=1000):
        def norm(channels, *layers):
            return [*layers, nn.BatchNorm2d(channels)]

        super().__init__(
            *norm(inner, nn.Conv2d(width, inner, 1, bias=False)), nn.ReLU6(),
            *norm(inner, nn.Conv2d(inner, inner, 3, padding=1, groups=inner, bias=False)), nn.ReLU6(),
            *norm(outer, nn.Conv2d(inner, outer, 1, bias=False)),
            *norm(features, nn.Conv2d(outer, features, 1, bias=False)), nn.ReLU6(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(features, classes))


class Task:
    """A module, the shape of a batch, the classes, and how weights follow from gradients: the name in torch.optim, its
    settings, and the same as options of 'mlc update'."""

    def __init__(self, make, shape, classes, optimizer, settings, options):
        self.make, self.shape, self.classes = make, shape, classes
        self.optimizer, self.settings, self.options = optimizer, settings, options

    def module(self, seed):
        """With norms as of a network that was trained, so that no two weights are equal and exported as one."""
        torch.manual_seed(seed)
        module = self.make()
        for part in module.modules():
            if isinstance(part, (nn.BatchNorm2d, nn.LayerNorm)):
                nn.init.uniform_(part.weight, 0.7, 1.3)
                nn.init.normal_(part.bias, 0, 0.1)
            if isinstance(part, nn.BatchNorm2d):
                nn.init.normal_(part.running_mean, 0, 0.1)
                nn.init.uniform_(part.running_var, 0.7, 1.3)
        return module

    def data(self, seed, steps):
        """Examples of `steps` batches, each near the middle of its class."""
        random = np.random.default_rng(seed)
        labels = random.integers(0, self.classes, steps * self.shape[0])
        middles = random.standard_normal((self.classes, *self.shape[1:]))
        x = 0.5 * middles[labels] + random.standard_normal((len(labels), *self.shape[1:]))
        return x.astype(np.float32), labels


def sgd(make, *shape, classes=10, options=()):
    settings = {"lr": 0.01, "momentum": 0.9}
    return Task(make, shape, classes, "SGD", settings, ["--learning-rate", "0.01", "--momentum", "0.9", *options])


def adam(make, *shape, classes=10):
    return Task(make, shape, classes, "Adam", {"lr": 1e-3}, ["--optimizer", "adam", "--learning-rate", "0.001"])


TASKS = {
    "cnn": sgd(Convolutions, 32, 3, 32, 32),
    "mlp": sgd(Perceptron, 64, 784),
    "encoder": adam(Encoder, 8, 64, 256),
    "lstm": adam(Recurrence, 16, 32, 64),
    "mobilenet_v2_last": sgd(LastBlock, 32, 160, 7, 7, classes=1000, options=["--batch-statistics", "unbiased"]),
}

# The same, so small that they are kept as files.
SMALL = {
    "cnn": sgd(lambda: Convolutions(8, 4), 4, 3, 8, 8),
    "mlp": sgd(lambda: Perceptron(20, 16, 12), 8, 20),
    "encoder": adam(lambda: Encoder(16, 2, 24), 2, 6, 16),
    "lstm": adam(lambda: Recurrence(6, 8), 4, 5, 6),
    "mobilenet_v2_last": sgd(
        lambda: LastBlock(4, 12, 6, 16, 10), 4, 4, 5, 5, options=["--batch-statistics", "unbiased"]),
}
