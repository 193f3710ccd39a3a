import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

extension NNContext {
  /// `x` as `[N, C, H, W]`: axes before the last three are batch.
  mutating func planes(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let shape = self.shape(x)
    guard shape.count >= 3 else { throw NNContext.wrong("\(fact(x).type) has no channels, height and width") }
    return try reshape(x, [shape.dropLast(3).reduce(1) { $0 * $1 }] + shape.suffix(3))
  }

  /// What was computed from `planes(x)`, with the batch axes of `x` again.
  mutating func unfolded(_ y: ValueID, like x: ValueID) throws(Diagnostic) -> ValueID {
    try reshape(y, shape(x).dropLast(3) + shape(y).suffix(3))
  }

  /// `axis` from the front. Throws `coreml.parameter`.
  func axis(_ axis: Int64, rank: Int) throws(Diagnostic) -> Int {
    guard let axis = Int(exactly: axis), (-rank..<rank).contains(axis) else {
      throw NNContext.wrong("the axis \(axis) does not exist in a tensor of \(rank) axes")
    }
    return axis < 0 ? axis + rank : axis
  }

  func axes(_ axes: [Int64], rank: Int) throws(Diagnostic) -> [Int] {
    var result: [Int] = []
    for axis in axes { result.append(try self.axis(axis, rank: rank)) }
    return result
  }

  /// The extent of `x` along `axis`. Throws `coreml.parameter` when it is open.
  func extent(_ x: ValueID, _ axis: Int) throws(Diagnostic) -> Int {
    guard shape(x).indices.contains(axis), let extent = shape(x)[axis].constant else {
      throw NNContext.unsupported("axis \(axis) of \(fact(x).type) has no fixed extent")
    }
    return extent
  }

  /// A vector along axis −3, as it broadcasts with `[…, C, H, W]`; one number as a scalar.
  func alongChannels(_ vector: Tensor) -> Tensor { vector.reshaped(vector.count == 1 ? [] : [vector.count, 1, 1]) }
}

extension NNBorders {
  /// Amounts of height and width, before and after; zeros when there are none. Throws `coreml.parameter`.
  func amounts() throws(Diagnostic) -> [Int] {
    if borderAmounts.isEmpty { return [0, 0, 0, 0] }
    guard borderAmounts.count == 2 else {
      throw NNContext.wrong("there are \(borderAmounts.count) border amounts; height and width have one each")
    }
    return borderAmounts.flatMap { [Int(clamping: $0.startEdgeSize), Int(clamping: $0.endEdgeSize)] }
  }
}

/// `given` as integers, or `standard` for each of as many axes when nothing is given. Throws `coreml.parameter`.
func nnPair(_ given: [UInt64], _ name: String, default standard: Int) throws(Diagnostic) -> [Int] {
  if given.isEmpty { return [standard, standard] }
  guard given.count == 2 else {
    throw NNContext.wrong("'\(name)' is \(given); it has one number for height and width each")
  }
  return given.map { Int(clamping: $0) }
}

/// What ML Programs call the mode. Throws `coreml.parameter`.
func nnSamplingMode(_ mode: CoreML_Specification_SamplingMode) throws(Diagnostic) -> String {
  switch mode.samplingMethod {
  case .strictAlignEndpointsMode: "STRICT_ALIGN_CORNERS"
  case .alignEndpointsMode: "ALIGN_CORNERS"
  case .upsampleMode: "DEFAULT"
  case .roiAlignMode: "OFFSET_CORNERS"
  case .UNRECOGNIZED(let mode): throw NNContext.unsupported("the mode \(mode) is not known")
  }
}
