"""What resizing, regions and suppressed boxes give, by numpy."""

import numpy as np

POSITIONS = {
    "STRICT_ALIGN_CORNERS": lambda n, m: np.arange(m) * (n - 1) / (m - 1) if m > 1 else np.zeros(1),
    "ALIGN_CORNERS": lambda n, m: np.arange(m) * (n - 1) / (m - 1) if m > 1 else np.full(1, (n - 1) / 2),
    "DEFAULT": lambda n, m: np.arange(m) * n / m,
    "OFFSET_CORNERS": lambda n, m: (np.arange(m) + 0.5) * max(1, n - 1) / m,
    "UNALIGN_CORNERS": lambda n, m: (np.arange(m) + 0.5) * n / m - 0.5,
}


def along(x, axis, positions):
    """Linear interpolation at positions, the edges repeated."""
    n = x.shape[axis]
    places = np.clip(positions, 0, n - 1)
    low = np.minimum(np.floor(places).astype(int), n - 1)
    ratio = (places - low).reshape([-1] + [1] * (x.ndim - axis - 1))
    return np.take(x, low, axis) * (1 - ratio) + np.take(x, np.minimum(low + 1, n - 1), axis) * ratio


def resized(x, height, width, mode):
    y = along(x, x.ndim - 2, POSITIONS[mode](x.shape[-2], height))
    return along(y, x.ndim - 1, POSITIONS[mode](x.shape[-1], width))


def corners(box, form):
    if form.startswith("CENTER"):
        box = np.array([box[0] - box[2] / 2, box[1] - box[3] / 2, box[0] + box[2] / 2, box[1] + box[3] / 2])
    return box if form.endswith("HEIGHT_FIRST") else box[[1, 0, 3, 2]]


def samples(a, b, m, mode):
    n = b - a + 1
    if mode in ("STRICT_ALIGN_CORNERS", "ALIGN_CORNERS"):
        if m == 1:
            return np.array([a if mode.startswith("STRICT") else (a + b) / 2])
        return np.linspace(a, b, m)
    return np.clip(a + POSITIONS[mode](n, m), a, max(a, b))


def region(image, box, height, width, mode, pad=0):
    rows, columns = samples(box[0], box[2], height, mode), samples(box[1], box[3], width, mode)
    y = along(along(image, 1, rows), 2, columns)
    inside = ((rows >= 0) & (rows <= image.shape[1] - 1))[:, None] & ((columns >= 0) & (columns <= image.shape[2] - 1))
    return np.where(inside, y, pad)


def overlap(a, b):
    low, high = np.maximum(a[:2] - a[2:] / 2, b[:2] - b[2:] / 2), np.minimum(a[:2] + a[2:] / 2, b[:2] + b[2:] / 2)
    shared = np.prod(np.maximum(high - low, 0))
    return shared / (a[2] * a[3] + b[2] * b[3] - shared)


def suppressed(boxes, scores, threshold, least, count, per_class):
    results = [np.zeros((len(boxes), count, 4)), np.zeros((len(boxes), count, scores.shape[2])),
               np.full((len(boxes), count), -1), np.zeros(len(boxes), int)]
    for batch, (box, score) in enumerate(zip(boxes, scores)):
        best, classes, kept = score.max(1), score.argmax(1), []
        for index in np.argsort(-best, kind="stable"):
            if best[index] <= least:
                continue
            rivals = [k for k in kept if not per_class or classes[k] == classes[index]]
            if all(overlap(box[k], box[index]) <= threshold for k in rivals):
                kept.append(index)
        kept = (kept or [best.argmax()])[:count]
        results[0][batch, :len(kept)], results[1][batch, :len(kept)] = box[kept], score[kept]
        results[2][batch, :len(kept)], results[3][batch] = kept, len(kept)
    return results
