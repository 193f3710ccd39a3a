"""Random graphs that compute shapes from shapes, each way as some exporter writes it. The sizes of inputs are open."""
import numpy as np

from .graph import FLOAT, INT64, Graph, float_tensor, integer_tensor


class Drawn:
    """One graph, drawn from a seed. `y` is the value so far, of rank 4, whose last two extents no step makes 0."""

    def __init__(self, name, seed):
        self.random = np.random.default_rng(seed)
        self.g = Graph(name)
        self.x = self.g.input("x", FLOAT, "n", 3, "h", "w")
        self.y = self.x

    def pick(self, *items):
        return items[self.random.integers(len(items))]

    # Numbers made of sizes: scalars of type int64.

    def extent(self, value, axis):
        """An extent, by `Gather`, by `Slice` and `Squeeze`, or by a part of `Shape`."""
        g = self.g
        way = self.random.integers(3)
        if way == 0:
            return g.size(value, axis)
        if way == 1:
            part = g.Slice(g.Shape(value), g.constant([axis]), g.constant([axis + 1]), g.constant([0]))
            return g.Squeeze(part, g.constant([0]))
        return g.Squeeze(g.Shape(value, start=axis, end=axis + 1), g.constant([0]))

    def halved(self, size):
        """⌈size / 2⌉, in integers, in floats, or by a remainder."""
        g = self.g
        two = g.constant(2)
        way = self.random.integers(4)
        if way == 0:
            return g.Div(g.Add(size, g.constant(1)), two)
        if way == 1:
            return g.Cast(g.Ceil(g.Div(g.Cast(size, to=FLOAT), g.constant(2.0, np.float32))), to=INT64)
        if way == 2:
            half = g.Mul(g.Cast(size, to=FLOAT), g.constant(0.5, np.float32))
            return g.Cast(g.Floor(g.Add(half, g.constant(0.5, np.float32))), to=INT64)
        return g.Add(g.Div(size, two), g.Mod(size, two))

    def number(self, axis):
        """Something of an extent of `y` that is never 0."""
        g = self.g
        size = self.extent(self.y, axis)
        way = self.random.integers(5)
        if way == 0:
            return size
        if way == 1:
            return self.halved(size)
        if way == 2:
            return g.Max(g.Sub(size, g.constant(1)), g.constant(1))
        if way == 3:
            return g.Min(size, g.constant(int(self.random.integers(2, 6))))
        return g.Where(g.Greater(size, g.constant(4)), self.halved(size), size)

    # Steps: each makes `y` of rank 4 again.

    def flattened(self):
        """To three axes and back, by a shape of sizes and −1, or by a product."""
        g = self.g
        n, c, h, w = [self.extent(self.y, axis) for axis in range(4)]
        rest = self.pick(lambda: -1, lambda: g.Mul(h, w), lambda: g.ReduceProd(g.Shape(self.y, start=2), keepdims=0))()
        rows = g.Transpose(g.Reshape(self.y, g.vector(n, c, rest)), perm=[0, 2, 1])
        rows = g.MatMul(rows, g.weight(3, 3))
        self.y = g.Reshape(g.Transpose(rows, perm=[0, 2, 1]), g.vector(n, c, h, w))

    def cut(self):
        """The front or the back of an axis."""
        g, axis = self.g, self.pick(2, 3)
        count = g.Unsqueeze(self.number(axis), g.constant([0]))
        if self.pick(True, False):
            self.y = g.Slice(self.y, g.constant([0]), count, g.constant([axis]))
        else:
            self.y = g.Slice(self.y, g.Neg(count), g.constant([2**63 - 1]), g.constant([axis]))

    def padded(self):
        """Padded to a multiple, as windows want it, and cut back to what it was."""
        g, unit = self.g, self.g.constant(self.pick(2, 4, 8))
        height, width = self.extent(self.y, 2), self.extent(self.y, 3)
        missing = [g.Mod(g.Sub(unit, g.Mod(size, unit)), unit) for size in (height, width)]
        y = g.Pad(self.y, g.vector(0, 0, 0, 0, 0, 0, *missing), mode="constant")
        y = g.Mul(y, g.weight(1, 3, 1, 1))
        zero = g.constant([0, 0])
        self.y = g.Slice(y, zero, g.vector(height, width), g.constant([2, 3]))

    def repeated(self):
        """Tiled as often as another extent says, and averaged again."""
        g = self.g
        wide = g.Tile(g.Unsqueeze(self.y, g.constant([0])), g.vector(self.halved(self.extent(self.y, 2)), 1, 1, 1, 1))
        self.y = g.ReduceMean(wide, axes=[0], keepdims=0)

    def joined(self):
        """Concatenated with a piece of itself, or with as many zeros."""
        g, axis = self.g, self.pick(2, 3)
        if self.pick(True, False):
            count = g.Unsqueeze(self.halved(self.extent(self.y, axis)), g.constant([0]))
            piece = g.Slice(self.y, g.constant([0]), count, g.constant([axis]))
        else:
            piece = g.ConstantOfShape(g.Shape(self.y), value=float_tensor(self.pick(0.0, 1.5)))
        self.y = g.Concat(self.y, piece, axis=axis)

    def positioned(self):
        """Plus positions along an axis: a range of integers or floats, reshaped or expanded."""
        g, axis = self.g, self.pick(2, 3)
        size = self.extent(self.y, axis)
        if self.pick(True, False):
            steps = g.Range(g.constant(0.0, np.float32), g.Cast(size, to=FLOAT), g.constant(1.0, np.float32))
        else:
            steps = g.Cast(g.Range(g.constant(0), size, g.constant(1)), to=FLOAT)
        steps = g.Mul(steps, g.constant(0.125, np.float32))
        if axis == 2:
            steps = g.Unsqueeze(steps, g.constant([1]))
        if self.pick(True, False):
            steps = g.Expand(steps, g.Shape(self.y, start=axis if axis == 2 else 2))
        self.y = g.Add(self.y, steps)

    def thinned(self):
        """Every other position, gathered by a range of step 2."""
        g, axis = self.g, self.pick(2, 3)
        places = g.Range(g.constant(0), self.extent(self.y, axis), g.constant(2))
        self.y = g.Gather(self.y, places, axis=axis)

    def resized(self):
        """Resampled to computed sizes, by a quotient of sizes, or by numbers."""
        g = self.g
        mode = self.pick(
            dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
            dict(mode="linear", coordinate_transformation_mode="half_pixel"),
            dict(mode="linear", coordinate_transformation_mode="align_corners"),
        )
        way = self.random.integers(3)
        if way == 0:
            front = g.Slice(g.Shape(self.y), g.constant([0]), g.constant([2]), g.constant([0]))
            back = self.pick(lambda: g.Shape(self.x, start=2), lambda: g.vector(self.number(2), self.number(3)))()
            self.y = g.Resize(self.y, "", "", g.Concat(front, back, axis=0), **mode)
        elif way == 1:
            # A whole number of times, so that rounded quotients are exact.
            wanted = [g.Mul(self.extent(self.y, axis), g.constant(self.pick(1, 2, 3))) for axis in (2, 3)]
            factors = [g.constant([1.0, 1.0], np.float32)]
            for axis, size in zip((2, 3), wanted):
                quotient = g.Div(g.Cast(size, to=FLOAT), g.Cast(self.extent(self.y, axis), to=FLOAT))
                factors.append(g.Unsqueeze(quotient, g.constant([0])))
            self.y = g.Resize(self.y, "", g.Concat(*factors, axis=0), **mode)
        else:
            # What `align_corners` means where extents are rounded down, runtimes do not agree upon.
            if mode["coordinate_transformation_mode"] == "align_corners":
                mode["coordinate_transformation_mode"] = "half_pixel"
            factors = [1.0, 1.0] + [self.pick(2.0, 1.5, 1.3, 0.8) for _ in range(2)]
            grown = g.Concat(self.y, self.y, axis=2)
            grown = g.Concat(grown, grown, axis=3)
            self.y = g.Resize(grown, "", g.constant(factors, np.float32), **mode)

    def floated(self):
        """Resized to sizes that go through floats which no fraction of small numbers is."""
        g = self.g
        sizes = []
        for axis in (2, 3):
            size = g.Mul(g.Cast(self.extent(self.y, axis), to=FLOAT), g.constant(self.pick(1.7, 0.9, 1.1), np.float32))
            sizes.append(g.Add(g.Cast(g.Floor(size), to=INT64), g.constant(1)))
        target = g.vector(g.size(self.y, 0), 3, *sizes)
        self.y = g.Resize(self.y, "", "", target, mode="linear", coordinate_transformation_mode="half_pixel")

    def expanded(self):
        """A vector expanded to the shape of `y`, by `Where` over a shape that may have −1, as PyTorch writes it."""
        g = self.g
        shape = g.Shape(self.y)
        count = g.Shape(shape)
        ones = g.ConstantOfShape(count, value=integer_tensor(1))
        target = g.Where(g.Equal(shape, g.Mul(ones, g.constant(-1))), ones, shape)
        self.y = g.Mul(self.y, g.Expand(g.weight(1, 3, 1, 1), target))

    def squeezed(self):
        """`squeeze` of an axis that may have extent 1, and what asks for the rank."""
        g, y = self.g, self.y
        axes = g.constant([3])
        alone = g.Equal(g.Gather(g.Shape(y), axes), g.constant([1]))
        z = g.If(
            g.Squeeze(alone, g.constant([0])),
            then_branch=g.branch(lambda: [g.Squeeze(y, axes)]),
            else_branch=g.branch(lambda: [g.Identity(y)]),
        )
        z = g.Tanh(z)
        flat = g.Equal(g.Size(g.Shape(z)), g.constant(3))
        self.y = g.If(
            flat,
            then_branch=g.branch(lambda: [g.Unsqueeze(z, axes)]),
            else_branch=g.branch(lambda: [g.Mul(z, z)]),
        )

    STEPS = [flattened, cut, padded, repeated, joined, positioned, thinned, resized, floated, expanded, squeezed]

    def graph(self):
        for _ in range(self.random.integers(2, 6)):
            self.STEPS[self.random.integers(len(self.STEPS))](self)
        self.g.output(self.y, "y", FLOAT, 4)
        self.g.output(self.g.Shape(self.y), "shape", INT64, 1)
        return self.g
