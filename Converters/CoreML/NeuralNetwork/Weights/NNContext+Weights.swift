import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

extension NNContext {
  /// The numbers of a weight of `shape`, expanded to float32. Output channels lie along `axis`.
  func dense(_ spec: NNWeightSpec, _ name: String, _ shape: [Int], axis: Int = 0) throws(Diagnostic) -> Tensor {
    try weights.read(spec, name, count: shape.checkedProduct).dense(shape, axis: axis, name)
  }

  /// A vector of `count` numbers as a value.
  mutating func vector(_ spec: NNWeightSpec, _ name: String, _ count: Int) throws(Diagnostic) -> ValueID {
    let numbers = try dense(spec, name, [count])
    return isLearnt(spec) ? learn(numbers, name, .biases) : constant(numbers, name)
  }

  /// Whether the layer's `spec` is a parameter.
  private func isLearnt(_ spec: NNWeightSpec) -> Bool {
    part.keepsParameters && part.part.spec.isUpdatable && layer.spec.isUpdatable && spec.isUpdatable
  }

  private mutating func learn(_ contents: Tensor, _ name: String, _ role: Learning.Weight.Role) -> ValueID {
    var own = "\(layer.name).\(name)"
    while !part.isFree(own) { own += "_" }
    let value = part.parameter(own, contents.shape.map { Dim($0) }, contents)
    learnt.append(Learning.Weight(own, layer: layer.name, role))
    return value
  }

  /// One number for all channels or one for each, as it broadcasts with `[…, C, H, W]`.
  mutating func perChannel(_ spec: NNWeightSpec, _ name: String, _ x: ValueID) throws(Diagnostic) -> ValueID {
    let channels = try extent(x, rank(x) - 3)
    do { return constant(alongChannels(try dense(spec, name, [channels])), name) } catch {
      return constant(try dense(spec, name, []), name)
    }
  }

  /// A weight of `shape` as a value: compressed when the file holds it so. Output channels lie along `axis`.
  mutating func weight(
    _ spec: NNWeightSpec,
    _ name: String,
    _ shape: [Int],
    axis: Int = 0
  ) throws(Diagnostic) -> ValueID {
    if isLearnt(spec) { return learn(try dense(spec, name, shape, axis: axis), name, .weights) }
    return try weight(try weights.read(spec, name, count: shape.checkedProduct), name, shape, axis: axis)
  }

  mutating func weight(_ weight: NNWeight, _ name: String, _ shape: [Int], axis: Int) throws(Diagnostic) -> ValueID {
    try weight.checkChannels(shape, axis, name)
    let elements = weight.elements
    switch weight.decoding {
    case nil:
      let stored = constant(elements.reshaped(shape), name)
      return elements.dtype == .float32 ? stored : try emit(ConstexprCast(.float32), stored)
    case .palette(let table)?:
      let entries = 1 << elements.dtype.bitWidth
      let whole = table + [Float](repeating: table[table.count - 1], count: entries - table.count)
      let lut = Tensor([Int](repeating: 1, count: shape.count) + [entries, 1], floats: whole)
      return try emit(ConstexprLutToDense(), constant(elements.reshaped(shape), name), constant(lut, "\(name).lut"))
    case .linear(let scale, let bias)?:
      guard let offset = NNContext.offsets(scale, bias) else {
        return constant(try weight.dense(shape, axis: axis, name), name)
      }
      let grid = shape.indices.map { $0 == axis ? max(scale.count, bias.count) : 1 }
      let scales = Tensor(grid, floats: NNContext.repeated(scale, grid[axis]))
      return try emit(
        ConstexprBlockwiseShiftScale(),
        constant(elements.reshaped(shape), name),
        constant(scales, "\(name).scale"),
        offset.isEmpty ? nil : constant(NNContext.offset(offset, grid, elements.dtype), "\(name).offset")
      )
    }
  }

  /// What is subtracted before the scale so that `(q − offset) · scale = scale · q + bias`; empty for none, `nil` when
  /// there is no such number.
  private static func offsets(_ scale: [Float], _ bias: [Float]) -> [Float]? {
    guard scale.allSatisfy({ $0 != 0 && $0.isFinite }), bias.allSatisfy({ $0.isFinite }) else { return nil }
    if bias.allSatisfy({ $0 == 0 }) { return [] }
    let count = max(scale.count, bias.count)
    let offsets = zip(repeated(scale, count), repeated(bias, count)).map { Float(-Double($1) / Double($0)) }
    return offsets.allSatisfy { $0.isFinite } ? offsets : nil
  }

  /// Whole offsets of bytes as bytes: other types than that of the data must be floats in Core ML.
  private static func offset(_ offsets: [Float], _ grid: [Int], _ dtype: DType) -> Tensor {
    let isWhole = dtype == .uint8 && offsets.allSatisfy { $0 == $0.rounded() && $0 >= 0 && $0 <= 255 }
    return isWhole ? Tensor(.uint8, grid, offsets.map { Int($0) }) : Tensor(grid, floats: offsets)
  }

  private static func repeated(_ values: [Float], _ count: Int) -> [Float] {
    values.count == count ? values : [Float](repeating: values[0], count: count)
  }
}
