// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `affine`, since iOS 15.
  public func affine(
    x: any Argument, transform_matrix: any Argument, output_height: any Argument, output_width: any Argument,
    sampling_mode: any Argument, padding_mode: any Argument, padding_value: any Argument,
    coordinates_mode: any Argument, align_corners: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "affine",
      [
        "x": x, "transform_matrix": transform_matrix, "output_height": output_height, "output_width": output_width,
        "sampling_mode": sampling_mode, "padding_mode": padding_mode, "padding_value": padding_value,
        "coordinates_mode": coordinates_mode, "align_corners": align_corners
      ],
      name, file, line
    )
  }

  /// MIL's `crop`, since iOS 15.
  public func crop(
    x: any Argument, crop_height: any Argument, crop_width: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("crop", ["x": x, "crop_height": crop_height, "crop_width": crop_width], name, file, line)
  }

  /// MIL's `crop_resize`, since iOS 15.
  public func crop_resize(
    x: any Argument, roi: (any Argument)? = nil, target_height: (any Argument)? = nil,
    target_width: (any Argument)? = nil, normalized_coordinates: (any Argument)? = nil,
    spatial_scale: (any Argument)? = nil, box_coordinate_mode: (any Argument)? = nil,
    sampling_mode: (any Argument)? = nil, pad_value: (any Argument)? = nil, boxes: (any Argument)? = nil,
    box_indices: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "crop_resize",
      [
        "x": x, "roi": roi, "target_height": target_height, "target_width": target_width,
        "normalized_coordinates": normalized_coordinates, "spatial_scale": spatial_scale,
        "box_coordinate_mode": box_coordinate_mode, "sampling_mode": sampling_mode, "pad_value": pad_value,
        "boxes": boxes, "box_indices": box_indices
      ],
      name, file, line
    )
  }

  /// MIL's `resample`, since iOS 15.
  public func resample(
    x: any Argument, coordinates: any Argument, sampling_mode: any Argument, padding_mode: any Argument,
    padding_value: any Argument, coordinates_mode: any Argument, align_corners: any Argument, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "resample",
      [
        "x": x, "coordinates": coordinates, "sampling_mode": sampling_mode, "padding_mode": padding_mode,
        "padding_value": padding_value, "coordinates_mode": coordinates_mode, "align_corners": align_corners
      ],
      name, file, line
    )
  }

  /// MIL's `resize`, since iOS 17.
  public func resize(
    x: any Argument, shape: any Argument, resized_dims: any Argument, interpolation_mode: (any Argument)? = nil,
    sampling_mode: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "resize",
      [
        "x": x, "shape": shape, "resized_dims": resized_dims, "interpolation_mode": interpolation_mode,
        "sampling_mode": sampling_mode
      ],
      name, file, line
    )
  }

  /// MIL's `resize_bilinear`, since iOS 15.
  public func resize_bilinear(
    x: any Argument, target_size_height: (any Argument)? = nil, target_size_width: (any Argument)? = nil,
    sampling_mode: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "resize_bilinear",
      [
        "x": x, "target_size_height": target_size_height, "target_size_width": target_size_width,
        "sampling_mode": sampling_mode
      ],
      name, file, line
    )
  }

  /// MIL's `resize_nearest_neighbor`, since iOS 15.
  public func resize_nearest_neighbor(
    x: any Argument, target_size_height: any Argument, target_size_width: any Argument, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "resize_nearest_neighbor",
      [
        "x": x, "target_size_height": target_size_height, "target_size_width": target_size_width
      ],
      name, file, line
    )
  }

  /// MIL's `upsample_bilinear`, since iOS 15.
  public func upsample_bilinear(
    x: any Argument, scale_factor_height: (any Argument)? = nil, scale_factor_width: (any Argument)? = nil,
    align_corners: (any Argument)? = nil, half_pixel_centers: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "upsample_bilinear",
      [
        "x": x, "scale_factor_height": scale_factor_height, "scale_factor_width": scale_factor_width,
        "align_corners": align_corners, "half_pixel_centers": half_pixel_centers
      ],
      name, file, line
    )
  }

  /// MIL's `upsample_nearest_neighbor`, since iOS 15.
  public func upsample_nearest_neighbor(
    x: any Argument, scale_factor_height: (any Argument)? = nil, scale_factor_width: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "upsample_nearest_neighbor",
      [
        "x": x, "scale_factor_height": scale_factor_height, "scale_factor_width": scale_factor_width
      ],
      name, file, line
    )
  }
}
