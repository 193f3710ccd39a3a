import MLCCore
import MLCFormatCoreML
import MLCGraph

extension FunctionBuilder {
  /// An input that is an array. Throws for a name that there is.
  public func input(
    _ name: String,
    shape: [Dimension],
    dataType: DataType = .float32,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try declare(name, shape, dataType, nil, CallSite(file: file, line: line))
  }

  /// An input that is an array of one of these shapes, the first of which it has unless the caller says otherwise.
  public func input(
    _ name: String,
    shapes: [[Int]],
    dataType: DataType = .float32,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try declare(name, shapes, dataType, nil, CallSite(file: file, line: line))
  }

  /// An input that is an image of one of these sizes: pixels `[1, C, height, width]` from 0 to 255.
  public func image(
    _ name: String,
    sizes: [(height: Int, width: Int)],
    colorLayout: ColorLayout = .rgb,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let space = colorLayout.space
    let shapes = sizes.map { [1, space.channels, $0.height, $0.width] }
    return try declare(name, shapes, .float32, space, CallSite(file: file, line: line))
  }

  /// An input that is an image: pixels `[1, C, height, width]` from 0 to 255.
  public func image(
    _ name: String,
    height: Dimension,
    width: Dimension,
    colorLayout: ColorLayout = .rgb,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let space = colorLayout.space
    let shape: [Dimension] = [1, .fixed(space.channels), height, width]
    return try declare(name, shape, .float32, space, CallSite(file: file, line: line))
  }

  /// An input of one of `shapes`.
  private func declare(
    _ name: String,
    _ shapes: [[Int]],
    _ dataType: DataType,
    _ image: Feature.ColorSpace?,
    _ call: CallSite
  ) throws(BuildError) -> Value {
    guard let first = shapes.first, shapes.allSatisfy({ $0.count == first.count && $0.allSatisfy { $0 >= 0 } }) else {
      throw call.problem("coreml.type", "'\(name)' has one of \(shapes): shapes of as many axes, none below 0")
    }
    let extents = first.indices.map { axis -> Dim in
      shapes.allSatisfy { $0[axis] == first[axis] } ? Dim(first[axis]) : .symbol("\(name)_d\(axis)")
    }
    try check(name, dataType, call)
    do {
      return value(try builder.input(name, TensorType(dataType.dtype, extents), choices: shapes, image: image))
    } catch { throw BuildError(error, call) }
  }

  private func check(_ name: String, _ dataType: DataType, _ call: CallSite) throws(BuildError) {
    guard dataType.dtype.bitWidth >= 8 || dataType == .bool else {
      throw call.problem("coreml.type", "'\(name)' is \(dataType.rawValue), which only compressed constants are")
    }
  }

  private func declare(
    _ name: String,
    _ shape: [Dimension],
    _ dataType: DataType,
    _ image: Feature.ColorSpace?,
    _ call: CallSite
  ) throws(BuildError) -> Value {
    try check(name, dataType, call)
    var bounds: [Int: ClosedRange<Int>] = [:]
    var extents: [Dim] = []
    for (axis, dimension) in shape.enumerated() {
      switch dimension {
      case .fixed(let size):
        guard size >= 0 else { throw call.problem("graph.negative-extent", "an extent of '\(name)' is \(size)") }
        extents.append(Dim(size))
      case .range(let range):
        guard range.lowerBound >= 0 else { throw call.problem("graph.negative-extent", "'\(name)' may have \(range)") }
        bounds[axis] = range
        extents.append(.symbol("\(name)_d\(axis)"))
      }
    }
    do {
      return value(try builder.input(name, TensorType(dataType.dtype, extents), bounds: bounds, image: image))
    } catch { throw BuildError(error, call) }
  }
}

extension ColorLayout {
  var space: Feature.ColorSpace { Feature.ColorSpace(rawValue: rawValue) ?? .rgb }
}
