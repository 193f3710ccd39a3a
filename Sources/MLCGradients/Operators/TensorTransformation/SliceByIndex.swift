import MLCCore
import MLCGraph
import MLCOps

/// Zeros where nothing was taken from.
extension SliceByIndex: Differentiable {
  package func gradientObstacle(_ inputs: Operands<Fact>) -> String? {
    places(inputs) == nil ? "where it cuts is not known before run time" : nil
  }

  package func differentiate(_ context: inout GradientContext) throws(Diagnostic) {
    let facts = Operands(Self.portNames, context.operation.inputs.map { $0.map(context.fact) })
    guard let places = places(facts), context.wants("x") else { return }
    var g = try context.gradient()
    let squeezed = squeezeMask.indices.filter { squeezeMask[$0] }
    if !squeezed.isEmpty { g = try context.apply(ExpandDims(squeezed), g) }
    for (axis, place) in places.enumerated() { g = try context.spread(g, axis, place) }
    try context.give(.value(g), to: "x")
  }

  /// Where the slice lies on each axis; `nil` where that depends on open sizes.
  private func places(_ inputs: Operands<Fact>) -> [AxisPlaces]? {
    let x = inputs["x"]
    guard let begin = inputs["begin"].elements, let end = inputs["end"].elements, let sliced = try? infer(inputs) else {
      return nil
    }
    let strides = inputs[optional: "stride"]?.elements?.map { $0.constant }
    if inputs[optional: "stride"] != nil, strides == nil { return nil }
    var extents = sliced[0].shape[...]
    var places: [AxisPlaces] = []
    for axis in 0..<x.rank {
      let isSqueezed = !squeezeMask.isEmpty && squeezeMask[axis]
      let count = isSqueezed ? 1 : extents.removeFirst()
      guard let stride = strides == nil ? 1 : strides?[axis] else { return nil }
      let low = !beginMask.isEmpty && beginMask[axis] && !isSqueezed ? nil : begin[axis]
      let high = !endMask.isEmpty && endMask[axis] && !isSqueezed ? nil : end[axis]
      guard let place = AxisPlaces(x.shape[axis], low, isSqueezed ? low.map { $0 + 1 } : high, stride, count) else {
        return nil
      }
      places.append(place)
    }
    return places
  }
}

/// Elements in even steps along an axis of a tensor.
struct AxisPlaces {
  let first: Int, stride: Int
  /// Elements of the axis behind the last step, which may be cut short.
  let rest: Int

  /// Those from `begin` up to `end` of an axis of `extent`, `nil` being open; `count` is their number. `nil` where open
  /// sizes tell where they are.
  init?(_ extent: Dim, _ begin: Dim?, _ end: Dim?, _ stride: Int, _ count: Dim) {
    if let extent = extent.constant {
      guard begin == nil || begin?.constant != nil, end == nil || end?.constant != nil else { return nil }
      // An index of −1 that is squeezed ends at the end of the axis.
      let isLast = begin?.constant == -1 && end == 0 && stride == 1 && count == 1
      let taken = slicePositions(extent, begin?.constant, isLast ? nil : end?.constant, stride)
      (first, self.stride) = (taken.first ?? 0, stride)
      rest = extent - (taken.min() ?? 0) - taken.count * abs(stride)
      return
    }
    guard stride == 1, let first = begin == nil ? 0 : begin?.constant, first >= 0,
      let rest = (extent - Dim(first) - count).constant
    else {
      guard stride == -1, begin == nil, end == nil else { return nil }
      (self.first, self.stride, self.rest) = (0, -1, 0)
      return
    }
    (self.first, self.stride, self.rest) = (first, 1, rest)
  }
}

extension OperationBuilder {
  /// The elements of `x` along `axis` at `places` of a longer axis, zeros between.
  fileprivate mutating func spread(_ x: ValueID, _ axis: Int, _ places: AxisPlaces) throws(Diagnostic) -> ValueID {
    var result = x
    let step = abs(places.stride)
    var low = places.first
    if places.stride < 0 {
      result = try apply(Reverse([axis]), result)
      if let count = fact(x).shape[axis].constant, count > 0 { low += (count - 1) * places.stride }
    }
    if step > 1 {
      var shape = fact(result).shape
      let gaps = try apply(ExpandDims([axis + 1]), result)
      let amounts = [Int](repeating: 0, count: 2 * (shape.count - axis - 1))
      let wide = try apply(Pad(), gaps, list([0, step - 1] + amounts), scalar(0, like: x))
      shape[axis] = shape[axis] * Dim(step)
      result = try reshape(wide, shape, sources: [x])
    }
    if low == 0, places.rest == 0 { return result }
    let amounts = [Int](repeating: 0, count: 2 * (fact(result).rank - axis - 1))
    return try apply(Pad(), result, list([low, places.rest] + amounts), scalar(0, like: x))
  }
}
