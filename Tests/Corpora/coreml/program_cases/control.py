"""Branches, loops, lists, classes and random numbers."""

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from programs import case, iOS15, iOS16, iOS17, ints, rand

x = rand(2, 3)
for name, value in [("true", 1.0), ("false", -1.0)]:
    case(f"cond_{name}", [x, np.float32([value])], lambda x, p: mb.cond(
        pred=mb.squeeze(x=mb.greater(x=p, y=0.0)), _true_fn=lambda: mb.add(x=x, y=1.0), _false_fn=lambda: mb.mul(x=x, y=2.0)), (
        lambda x, p: x + 1 if p > 0 else x * 2))
case("while_loop", [x, np.int32([4])], lambda x, n: mb.while_loop(
    _cond=lambda i, v: mb.squeeze(x=mb.less(x=i, y=n)), _body=lambda i, v: (mb.add(x=i, y=1), mb.mul(x=v, y=1.5)),
    loop_vars=(np.int32([0]), x)), lambda x, n: (n, x * 1.5 ** 4))
case("while_loop_never", [x], lambda x: mb.while_loop(
    _cond=lambda v: mb.less(x=mb.reduce_sum(x=v, keep_dims=False), y=-99.0), _body=lambda v: mb.mul(x=v, y=1.5),
    loop_vars=(x,)), lambda x: x)


def nested(x):
    def outer(i, v):
        inner = mb.while_loop(
            _cond=lambda j, w: mb.squeeze(x=mb.less_equal(x=j, y=i)), _body=lambda j, w: (mb.add(x=j, y=1), mb.add(x=w, y=1.0)),
            loop_vars=(np.int32([0]), v))
        return mb.add(x=i, y=1), mb.mul(x=inner[1], y=2.0)

    return mb.while_loop(_cond=lambda i, v: mb.squeeze(x=mb.less(x=i, y=np.int32([3]))), _body=outer,
                         loop_vars=(np.int32([0]), x))[1]


def nested_answer(x):
    for i in range(3):
        x = (x + i + 1) * 2
    return x


case("while_loop_nested", [x], nested, nested_answer, iOS16)

# MARK: Lists

rows = rand(5, 3)


def row(x, index):
    return mb.gather(x=x, indices=index, axis=0)


def list_cases(x):
    values = mb.make_list(init_length=2, dynamic_length=True, elem_shape=(3,), dtype="fp32")
    values = mb.list_write(ls=values, index=1, value=row(x, 0))
    values = mb.list_write(ls=values, index=3, value=row(x, 4))
    return mb.list_length(ls=values), mb.list_read(ls=values, index=3), mb.list_gather(ls=values, indices=[0, 1, 2])


case("list_write", [rows], list_cases, lambda x: (4, x[4], np.stack([0 * x[0], x[0], 0 * x[0]])))


def fixed_list(x, i):
    values = mb.make_list(init_length=4, dynamic_length=False, elem_shape=(3,), dtype="fp32")
    values = mb.list_scatter(ls=values, indices=i, value=x)
    return mb.list_gather(ls=values, indices=[0, 1, 2, 3])


case("list_scatter", [rows[:3], np.int32([3, 0, 2])], fixed_list, lambda x, i: np.stack([x[1], 0 * x[0], x[2], x[0]]))


def grown_list(x, i):
    values = mb.make_list(init_length=1, dynamic_length=True, elem_shape=(3,), dtype="fp32")
    values = mb.list_scatter(ls=values, indices=i, value=x)
    return mb.list_length(ls=values), mb.list_gather(ls=values, indices=[5, 1])


case("list_scatter_grown", [rows[:2], np.int32([5, 1])], grown_list, lambda x, i: (6, x[:2]))


def list_in_loop(x):
    values = mb.make_list(init_length=5, dynamic_length=False, elem_shape=(3,), dtype="fp32")

    def body(i, total, values):
        total = mb.add(x=total, y=row(x, mb.squeeze(x=i)))
        return mb.add(x=i, y=1), total, mb.list_write(ls=values, index=mb.squeeze(x=i), value=total)

    results = mb.while_loop(
        _cond=lambda i, total, values: mb.squeeze(x=mb.less(x=i, y=np.int32([5]))), _body=body,
        loop_vars=(np.int32([0]), np.zeros(3, np.float32), values))
    return mb.list_gather(ls=results[2], indices=[0, 1, 2, 3, 4])


case("list_in_loop", [rows], list_in_loop, lambda x: np.cumsum(x, 0), iOS16)


def growing_in_loop(x):
    values = mb.make_list(init_length=1, dynamic_length=True, elem_shape=(3,), dtype="fp32")

    def body(i, values):
        return mb.add(x=i, y=1), mb.list_write(ls=values, index=mb.squeeze(x=i), value=row(x, mb.squeeze(x=i)))

    results = mb.while_loop(
        _cond=lambda i, values: mb.squeeze(x=mb.less(x=i, y=np.int32([4]))), _body=body, loop_vars=(np.int32([0]), values))
    return mb.list_length(ls=results[1]), mb.list_gather(ls=results[1], indices=[3, 0])


case("list_growing_in_loop", [rows], growing_in_loop, lambda x: (4, x[[3, 0]]), iOS17)

# MARK: Classes, random numbers

scores = rand(1, 4)


def softmax(x):
    return np.exp(x) / np.exp(x).sum()


labels = ["a", "bc", "", "dé"]
case("classify", [scores], lambda x: mb.softmax(x=x), lambda x: (np.array(labels[x.argmax()]), softmax(x)[0]), classifier=labels)
numbers = [7, 3, 1 << 20, -5]
case("classify_numbers", [scores], lambda x: mb.softmax(x=x), lambda x: (np.int64(numbers[x.argmax()]), softmax(x)[0]), iOS16,
     classifier=numbers)


def moments(x):
    return mb.reduce_mean(x=x, keep_dims=False), mb.reduce_mean(x=mb.square(x=x), keep_dims=False)


def shares(mean, square):
    """Whether mean and mean square lie near what the distribution has."""
    def build(draw):
        def inner(n):
            results = moments(draw(n))
            return [
                mb.cast(x=mb.less(x=mb.abs(x=mb.sub(x=value, y=wanted)), y=0.05), dtype="int32")
                for value, wanted in zip(results, [mean, square])
            ]
        return inner
    return build


count = np.int32([40, 250])
one = [np.int32(1), np.int32(1)]
case("random_uniform", [count], shares(0.5, 7 / 12)(lambda n: mb.random_uniform(
    shape=n, low=-0.5, high=1.5, seed=3)), lambda n: one)
case("random_normal", [count], shares(0.5, 0.5)(lambda n: mb.random_normal(shape=n, mean=0.5, stddev=0.5, seed=4)), (
    lambda n: one), iOS16)
case("random_bernoulli", [count], shares(0.3, 0.3)(lambda n: mb.random_bernoulli(shape=n, prob=0.3, seed=5)), lambda n: one, iOS17)
case("random_categorical", [np.log(np.float32([[0.2, 0.3, 0.5]] * 4))], lambda x: shares(1.3, 2.3)(
    lambda x: mb.random_categorical(x=x, size=3000, seed=6))(x), lambda x: one)
case("random_categorical_probs", [np.float32([[0.2, 0.3, 0.5]] * 4)], lambda x: shares(1.3, 2.3)(
    lambda x: mb.random_categorical(x=x, mode="probs", size=3000))(x), lambda x: one)
case("random_is_the_same", [count], lambda n: mb.reduce_max(x=mb.abs(x=mb.sub(
    x=mb.random_uniform(shape=n, seed=9), y=mb.random_uniform(shape=n, seed=9))), keep_dims=False), lambda n: np.float32(0))
