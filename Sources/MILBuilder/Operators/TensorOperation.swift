// Written from the table of operators, which has their parameters by system; MILBuilderCodeTests compares.
// swift-format-ignore-file

extension FunctionBuilder {
  /// MIL's `argsort`, since iOS 15.
  public func argsort(
    x: any Argument, axis: (any Argument)? = nil, ascending: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("argsort", ["x": x, "axis": axis, "ascending": ascending], name, file, line)
  }

  /// MIL's `band_part`, since iOS 15.
  public func band_part(
    x: any Argument, lower: (any Argument)? = nil, upper: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("band_part", ["x": x, "lower": lower, "upper": upper], name, file, line)
  }

  /// MIL's `concat`, since iOS 15.
  public func concat(
    values: any Argument, axis: any Argument, interleave: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("concat", ["values": values, "axis": axis, "interleave": interleave], name, file, line)
  }

  /// MIL's `cumsum`, since iOS 15.
  public func cumsum(
    x: any Argument, axis: (any Argument)? = nil, exclusive: (any Argument)? = nil, reverse: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("cumsum", ["x": x, "axis": axis, "exclusive": exclusive, "reverse": reverse], name, file, line)
  }

  /// MIL's `fill`, since iOS 15.
  public func fill(
    shape: any Argument, value: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("fill", ["shape": shape, "value": value], name, file, line)
  }

  /// MIL's `fill_like`, since iOS 16.
  public func fill_like(
    ref_tensor: any Argument, value: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("fill_like", ["ref_tensor": ref_tensor, "value": value], name, file, line)
  }

  /// MIL's `flatten2d`, since iOS 15.
  public func flatten2d(
    x: any Argument, axis: (any Argument)? = nil, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("flatten2d", ["x": x, "axis": axis], name, file, line)
  }

  /// MIL's `identity`, since iOS 15.
  public func identity(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("identity", ["x": x], name, file, line)
  }

  /// MIL's `non_maximum_suppression`, since iOS 15.
  public func non_maximum_suppression(
    boxes: any Argument, scores: any Argument, iou_threshold: any Argument, max_boxes: any Argument,
    score_threshold: (any Argument)? = nil, per_class_suppression: (any Argument)? = nil, name: String? = nil,
    file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results(
      "non_maximum_suppression",
      [
        "boxes": boxes, "scores": scores, "iou_threshold": iou_threshold, "score_threshold": score_threshold,
        "max_boxes": max_boxes, "per_class_suppression": per_class_suppression
      ],
      name, file, line
    )
  }

  /// MIL's `non_zero`, since iOS 15.
  public func non_zero(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("non_zero", ["x": x], name, file, line)
  }

  /// MIL's `one_hot`, since iOS 15.
  public func one_hot(
    indices: any Argument, one_hot_vector_size: any Argument, axis: (any Argument)? = nil,
    on_value: (any Argument)? = nil, off_value: (any Argument)? = nil, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result(
      "one_hot",
      [
        "indices": indices, "one_hot_vector_size": one_hot_vector_size, "axis": axis, "on_value": on_value,
        "off_value": off_value
      ],
      name, file, line
    )
  }

  /// MIL's `pad`, since iOS 15.
  public func pad(
    x: any Argument, pad: any Argument, mode: (any Argument)? = nil, constant_val: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("pad", ["x": x, "pad": pad, "mode": mode, "constant_val": constant_val], name, file, line)
  }

  /// MIL's `range_1d`, since iOS 15.
  public func range_1d(
    end: any Argument, start: any Argument, step: any Argument, name: String? = nil, file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try result("range_1d", ["end": end, "start": start, "step": step], name, file, line)
  }

  /// MIL's `shape`, since iOS 15.
  public func shape(
    x: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("shape", ["x": x], name, file, line)
  }

  /// MIL's `split`, since iOS 15.
  public func split(
    x: any Argument, axis: any Argument, num_splits: (any Argument)? = nil, split_sizes: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results("split", ["x": x, "num_splits": num_splits, "split_sizes": split_sizes, "axis": axis], name, file, line)
  }

  /// MIL's `stack`, since iOS 15.
  public func stack(
    values: any Argument, axis: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("stack", ["values": values, "axis": axis], name, file, line)
  }

  /// MIL's `tile`, since iOS 15.
  public func tile(
    x: any Argument, reps: any Argument, name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> Value {
    try result("tile", ["x": x, "reps": reps], name, file, line)
  }

  /// MIL's `topk`, since iOS 15.
  public func topk(
    x: any Argument, k: (any Argument)? = nil, axis: (any Argument)? = nil, ascending: (any Argument)? = nil,
    sort: (any Argument)? = nil, return_indices: (any Argument)? = nil, output_indices_dtype: (any Argument)? = nil,
    name: String? = nil, file: String = #filePath, line: Int = #line
  ) throws(BuildError) -> [Value] {
    try results(
      "topk",
      [
        "x": x, "k": k, "axis": axis, "ascending": ascending, "sort": sort, "return_indices": return_indices,
        "output_indices_dtype": output_indices_dtype
      ],
      name, file, line
    )
  }
}
