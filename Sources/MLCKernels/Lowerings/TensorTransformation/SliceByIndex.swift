import MLCCore
import MLCGraph
import MLCOps

extension SliceByIndex: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let shape = context.program[x].shape
    context.requireShape([Dim(shape.count)], of: "begin", "end", "stride")
    let result = context.outputFact().shape
    let output = context.output()
    let bounds = SliceBounds(self, rank: shape.count, &context)
    var params = KernelParams()
    var index: [Index] = []
    var kept = 0
    for (axis, extent) in shape.enumerated() {
      let slice = SliceAxis(axis: axis, extent: extent, stride: bounds.knownStride(axis))
      if isSet(squeezeMask, axis) {
        index.append(.value(bounds.raw(bounds.begin, axis, &params).wrapped(extent)))
        continue
      }
      let isCounted = result[kept].symbol.map { context.isUnbound($0) } ?? false
      // A begin behind the end of an axis whose positions are counted is not told from one with positions to read.
      let known = isCounted ? nil : bounds.knownBegin(slice)
      if let stride = slice.stride {
        let start = known.map { .dim($0) } ?? Index.value(bounds.clampedBegin(slice, &params))
        index.append(start + Index.axis(kept) * Dim(stride))
      } else {
        let walked = Scalar.index(.axis(kept), .int64) * bounds.stride(slice, &params)
        index.append(.value(bounds.clampedBegin(slice, &params) + walked))
      }
      if isCounted {
        try context.bind(result[kept], "extent\(axis)", bound: extent) { (params) throws(Diagnostic) in
          bounds.count(slice, &params)
        }
      }
      kept += 1
    }
    let value = params.load(x, index)
    let place = result.indices.map { Index.axis($0) }
    let store = LoopNest.Stage.store(param: params.write(output), index: place, axes: [], value: value)
    context.append("slice", params, .loopNest(LoopNest(result.indices.map { Axis($0, result[$0]) }, [store])))
  }

  fileprivate func isSet(_ mask: [Bool], _ axis: Int) -> Bool { !mask.isEmpty && mask[axis] }
}

private struct SliceAxis {
  let axis: Int, extent: Dim
  /// `nil` where it is not known before run time.
  let stride: Int?
}

/// The ends and strides of a slice: sizes where the graph knows them, loads where not.
private struct SliceBounds {
  let begin: TensorID, end: TensorID
  private let op: SliceByIndex
  private let program: KernelProgram
  private let beginElements: [Dim]?, endElements: [Dim]?
  /// By axis; `nil` where it is not known, and lies in `strides`.
  private let knownStrides: [Int?]
  private let strides: TensorID?

  init(_ op: SliceByIndex, rank: Int, _ context: inout LoweringContext) {
    (begin, end, self.op) = (context.input("begin"), context.input("end"), op)
    (beginElements, endElements) = (context.fact("begin").elements, context.fact("end").elements)
    if let fact = context.optionalFact("stride") {
      knownStrides = fact.elements?.map(\.constant) ?? [Int?](repeating: nil, count: rank)
    } else {
      knownStrides = [Int?](repeating: 1, count: rank)
    }
    strides = knownStrides.contains(nil) ? context.optionalInput("stride") : nil
    program = context.program
  }

  func knownStride(_ axis: Int) -> Int? { knownStrides[axis] }

  func stride(_ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    if let known = slice.stride { return .integer(known, .int64) }
    guard let strides else { preconditionFailure("strides are 1 where none are given") }
    return program.integer(strides, [.constant(slice.axis)], &params)
  }

  /// `forth` where the slice walks so, else `back`.
  private func either(_ forth: Scalar, _ back: Scalar, _ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    if let known = slice.stride { return known > 0 ? forth : back }
    return .select(.compare(.greater, stride(slice, &params), .integer(0, .int64)), forth, back)
  }

  private func elements(_ tensor: TensorID) -> [Dim]? { tensor == begin ? beginElements : endElements }

  /// The bound as given.
  func raw(_ tensor: TensorID, _ axis: Int, _ params: inout KernelParams) -> Scalar {
    guard let known = elements(tensor)?[axis] else {
      return program.integer(tensor, [.constant(axis)], &params)
    }
    return known.constant.map { .integer($0, .int64) } ?? .size(known)
  }

  /// Where the slice begins, when that is a size.
  func knownBegin(_ slice: SliceAxis) -> Dim? {
    guard let stride = slice.stride else { return nil }
    let last = slice.extent - 1
    if op.isSet(op.beginMask, slice.axis) { return stride > 0 ? 0 : last }
    guard let begin = elements(begin)?[slice.axis] else { return nil }
    let front: Dim
    if let number = begin.constant {
      front = number < 0 ? slice.extent + begin : begin
    } else if begin.lowerBound != nil {
      front = begin
    } else if slice.extent + begin == 0 {
      front = 0
    } else if let least = (-begin - 1).lowerBound, least >= 0 {
      front = slice.extent + begin
    } else {
      return nil
    }
    // A begin past the end, seen in the direction of the walk, leaves no position to read.
    return stride > 0 ? Dim.largest(front, 0) : Dim.smallest(front, last)
  }

  func clampedBegin(_ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    if let known = knownBegin(slice) { return .size(known) }
    if op.isSet(op.beginMask, slice.axis) { return either(.size(0), .size(slice.extent - 1), slice, &params) }
    return clamped(raw(begin, slice.axis, &params).wrapped(slice.extent), slice, &params)
  }

  private func clampedEnd(_ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    if op.isSet(op.endMask, slice.axis) { return either(.size(slice.extent), .size(-1), slice, &params) }
    return clamped(raw(end, slice.axis, &params).wrapped(slice.extent), slice, &params)
  }

  /// The first position or the last, or the one before or behind it that the walk ends at, where it lies beyond.
  private func clamped(_ position: Scalar, _ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    let low = either(.size(0), .size(-1), slice, &params)
    let high = either(.size(slice.extent), .size(slice.extent - 1), slice, &params)
    return .binary(.max, .binary(.min, position, high), low)
  }

  /// How many positions lie between both ends.
  func count(_ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    let (low, high) = (clampedBegin(slice, &params), clampedEnd(slice, &params))
    let gap = either(high - low, low - high, slice, &params)
    let step =
      slice.stride.map { Scalar.integer($0 == .min ? .max : abs($0), .int64) } ?? .unary(.abs, stride(slice, &params))
    return .binary(.max, (gap + step - .integer(1, .int64)) / step, .integer(0, .int64))
  }
}
