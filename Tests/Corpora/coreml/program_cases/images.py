"""Resizing, resampling, regions and boxes."""

import numpy as np
from coremltools.converters.mil.mil import Builder as mb

from program_cases.region_answers import POSITIONS, corners, region, resized, suppressed
from programs import case, iOS15, iOS16, iOS17, rand

def nearest(x, height, width):
    rows, columns = np.arange(height) * x.shape[-2] // height, np.arange(width) * x.shape[-1] // width
    return x[..., rows, :][..., columns]


x = rand(1, 2, 3, 4)
for index, mode in enumerate(POSITIONS):
    for height, width in [(5, 7), (1, 2)]:
        if mode == "STRICT_ALIGN_CORNERS" and height == 1:
            continue
        case(f"resize_bilinear_{mode.lower()}_{height}", [x], lambda x: mb.resize_bilinear(
            x=x, target_size_height=height, target_size_width=width, sampling_mode=mode), (
            lambda x: resized(x, height, width, mode)), [iOS15, iOS16, iOS17][index % 3])
    case(f"resize_{mode.lower()}", [x], lambda x: mb.resize(
        x=x, shape=[2, 6, 0], resized_dims=np.uint32(2), interpolation_mode="LINEAR", sampling_mode=mode), (
        lambda x: resized(x, 6, 4, mode)), iOS17)
case("resize_nearest", [x], lambda x: mb.resize(
    x=x, shape=[5, 3], resized_dims=np.uint32(2), interpolation_mode="NEAREST_NEIGHBOR"), lambda x: nearest(x, 5, 3), iOS17)
case("resize_nearest_neighbor", [x], lambda x: mb.resize_nearest_neighbor(
    x=x, target_size_height=6, target_size_width=7), lambda x: nearest(x, 6, 7))
case("upsample_nearest_neighbor", [x], lambda x: mb.upsample_nearest_neighbor(
    x=x, scale_factor_height=2, scale_factor_width=3), lambda x: nearest(x, 6, 12), iOS16)
case("upsample_bilinear", [x], lambda x: mb.upsample_bilinear(
    x=x, scale_factor_height=2, scale_factor_width=3, align_corners=True), (
    lambda x: resized(x, 6, 12, "STRICT_ALIGN_CORNERS")))
case("upsample_bilinear_centres", [x], lambda x: mb.upsample_bilinear(
    x=x, scale_factor_height=2, scale_factor_width=2, align_corners=False, half_pixel_centers=True), (
    lambda x: resized(x, 6, 8, "UNALIGN_CORNERS")), iOS16)
case("upsample_bilinear_asymmetric", [x], lambda x: mb.upsample_bilinear(
    x=x, scale_factor_height=2, scale_factor_width=2, align_corners=False, half_pixel_centers=False), (
    lambda x: resized(x, 6, 8, "DEFAULT")), iOS16)
case("crop", [rand(1, 2, 6, 7)], lambda x: mb.crop(x=x, crop_height=[1, 2], crop_width=[0, 3]), lambda x: x[:, :, 1:4, :4])

# MARK: Regions


x = rand(2, 3, 6, 7)
BOXES = {
    "CORNERS_HEIGHT_FIRST": [[1, 1, 3, 4], [0.5, 2, 4.5, 5.5]], "CORNERS_WIDTH_FIRST": [[1, 1, 4, 3], [2, 0.5, 5.5, 4.5]],
    "CENTER_SIZE_HEIGHT_FIRST": [[2.5, 3, 3, 2], [2, 2, 2, 4]], "CENTER_SIZE_WIDTH_FIRST": [[3, 2.5, 2, 3], [2, 2, 4, 2]],
}
for index, (form, boxes) in enumerate(BOXES.items()):
    mode = ["ALIGN_CORNERS", "DEFAULT", "OFFSET_CORNERS", "UNALIGN_CORNERS"][index]
    roi = np.float32(boxes).reshape(2, 1, 4, 1, 1)
    case(f"crop_resize_{form.lower()}", [x, roi], lambda x, r: mb.crop_resize(
        x=x, roi=r, target_height=3, target_width=2, box_coordinate_mode=form, sampling_mode=mode), lambda x, r: np.stack([
            np.stack([region(image, corners(box, form), 3, 2, mode) for image in x]) for box in r.reshape(2, 4)]))
indexed = np.float32([[1, 0.1, 0.2, 0.7, 0.9], [0, 0, 0, 1, 1]]).reshape(2, 1, 5, 1, 1)
case("crop_resize_indexed", [x, indexed], lambda x, r: mb.crop_resize(
    x=x, roi=r, target_height=2, target_width=3, normalized_coordinates=True, sampling_mode="STRICT_ALIGN_CORNERS"), (
    lambda x, r: np.stack([
        region(x[int(box[0])], box[1:] * [5, 6, 5, 6], 2, 3, "STRICT_ALIGN_CORNERS")[None] for box in r.reshape(2, 5)])), iOS16)
case("crop_resize_ios17", [x, np.float32([[1, 1, 3, 9], [-2, 0, 4, 4], [0, 0, 5, 5]])], lambda x, b: mb.crop_resize(
    x=x, boxes=b, box_indices=[1, 0, 1], target_height=3, target_width=4, spatial_scale=0.75, pad_value=0.5,
    sampling_mode="ALIGN_CORNERS"), lambda x, b: np.stack([
        region(x[i], np.float32(box * 0.75), 3, 4, "ALIGN_CORNERS", 0.5) for i, box in zip([1, 0, 1], b)]), iOS17)

# MARK: Resampling


def padded(image, row, column, mode, value):
    height, width = image.shape[1:]

    def place(index, n):
        if mode == "border":
            return min(max(index, 0), n - 1)
        if mode in ("reflection", "symmetric"):
            period = 2 * n - 2 if mode == "reflection" else 2 * n
            index = index % period
            return min(index, (period if mode == "reflection" else period - 1) - index)
        return index if 0 <= index < n else None

    row, column = place(row, height), place(column, width)
    return np.full(image.shape[0], value) if row is None or column is None else image[:, row, column]


def resampled(x, grid, padding, sampling, coordinates, aligned, value=0):
    y = np.zeros((x.shape[0], x.shape[1]) + grid.shape[1:3])
    for batch, row, column in np.ndindex(grid.shape[:3]):
        place = []
        for n, c in zip(x.shape[:1:-1], grid[batch, row, column].astype(np.float64)):
            if coordinates != "unnormalized":
                c = 2 * c - 1 if coordinates.endswith("zero_to_one") else c
                c = (c + 1) / 2 * (n - 1) if aligned else ((c + 1) * n - 1) / 2
            place.append(c)
        if sampling == "nearest":
            y[batch, :, row, column] = padded(x[batch], int(np.round(place[1])), int(np.round(place[0])), padding, value)
            continue
        left, top = int(np.floor(place[0])), int(np.floor(place[1]))
        for dy, dx in np.ndindex(2, 2):
            weight = abs(1 - dy - (place[1] - top)) * abs(1 - dx - (place[0] - left))
            y[batch, :, row, column] += weight * padded(x[batch], top + dy, left + dx, padding, value)
    return y


x = rand(2, 2, 4, 5)
for index, padding in enumerate(["constant", "border", "reflection", "symmetric"]):
    for sampling in ["bilinear", "nearest"]:
        mode = ["unnormalized", "normalized_minus_one_to_one", "normalized_zero_to_one"][index % 3]
        scale = {"unnormalized": (-2, 6), "normalized_minus_one_to_one": (-1.4, 1.4), "normalized_zero_to_one": (-0.2, 1.2)}[mode]
        value = 0.5 if padding == "constant" else 0.0
        case(f"resample_{padding}_{sampling}", [x, rand(2, 3, 2, 2, low=scale[0], high=scale[1])], lambda x, g: mb.resample(
            x=x, coordinates=g, sampling_mode=sampling, padding_mode=padding, padding_value=value, coordinates_mode=mode,
            align_corners=index % 2 == 0), lambda x, g: resampled(x, g, padding, sampling, mode, index % 2 == 0, value), (
            [iOS15, iOS16, iOS17][index % 3]))


def affine(x, matrices, height, width):
    rows, columns = np.linspace(-1, 1, height), np.linspace(-1, 1, width)
    grid = np.stack(list(np.meshgrid(columns, rows)) + [np.ones((height, width))], -1)
    places = np.stack([grid @ m.reshape(2, 3).T for m in np.broadcast_to(matrices, (x.shape[0], 6))])
    return resampled(x, places, "constant", "bilinear", "normalized_minus_one_to_one", True)


for name, count in [("one", 1), ("each", 2)]:
    case(f"affine_{name}", [x, rand(count, 6)], lambda x, m: mb.affine(
        x=x, transform_matrix=m, output_height=3, output_width=4, sampling_mode="bilinear", padding_mode="constant",
        padding_value=0.0, coordinates_mode="normalized_minus_one_to_one", align_corners=True), (
        lambda x, m: affine(x, m, 3, 4)))

# MARK: Boxes


boxes, scores = rand(2, 20, 4, low=0, high=10), rand(2, 20, 3)
boxes[..., 2:] += 2
for index, (least, count, per_class) in enumerate([(0.2, 7, False), (0.2, 30, True), (5.0, 4, False), (-2.0, 20, True)]):
    case(f"non_maximum_suppression_{index}", [boxes, scores], lambda b, s: mb.non_maximum_suppression(
        boxes=b, scores=s, iou_threshold=0.3, score_threshold=least, max_boxes=count, per_class_suppression=per_class), (
        lambda b, s: suppressed(b, s, 0.3, least, count, per_class)), [iOS15, iOS16][index % 2])
case("non_maximum_suppression_ios17", [boxes.transpose(0, 2, 1), scores.transpose(0, 2, 1)], (
    lambda b, s: mb.non_maximum_suppression(boxes=b, scores=s, iou_threshold=0.25, max_boxes=6)), lambda b, s: [
        part.transpose(0, 2, 1) if part.ndim == 3 else part for part in
        suppressed(b.transpose(0, 2, 1), s.transpose(0, 2, 1), 0.25, -np.inf, 6, False)[:3]], iOS17)
