import MLCCore
import MLCGraph
import MLCOps

extension SliceByIndex: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let shape = context.program[x].shape
    context.requireShape([Dim(shape.count)], of: "begin", "end", "stride")
    let strides = try strides(shape.count, in: context)
    let result = context.outputFact().shape
    let (begin, end, output) = (context.input("begin"), context.input("end"), context.output())
    let bounds = SliceBounds(begin: begin, end: end, op: self, context)
    var params = KernelParams()
    var index: [Index] = []
    var kept = 0
    for (axis, extent) in shape.enumerated() {
      let slice = SliceAxis(axis: axis, extent: extent, stride: strides[axis])
      if isSet(squeezeMask, axis) {
        index.append(.value(bounds.raw(bounds.begin, axis, &params).wrapped(extent)))
        continue
      }
      let isCounted = result[kept].symbol.map { context.isUnbound($0) } ?? false
      // A begin behind the end of an axis whose positions are counted is not told from one with positions to read.
      let known = isCounted ? nil : bounds.knownBegin(slice)
      let start = known.map { .dim($0) } ?? Index.value(bounds.clampedBegin(slice, &params))
      index.append(start + Index.axis(kept) * Dim(slice.stride))
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

  private func strides(_ rank: Int, in context: LoweringContext) throws(Diagnostic) -> [Int] {
    guard let fact = context.optionalFact("stride") else { return [Int](repeating: 1, count: rank) }
    guard let strides = fact.value?.integers else {
      throw Diagnostic("lower.slice-stride", "the stride is not known before run time", kind: .unsupported)
    }
    return strides
  }
}

private struct SliceAxis {
  var axis: Int, extent: Dim, stride: Int
  /// Positions before the first and behind the last that an end may be clamped to.
  var low: Dim { stride > 0 ? 0 : -1 }
  var high: Dim { stride > 0 ? extent : extent - 1 }
}

/// The ends of a slice: sizes where the graph knows them, loads where not.
private struct SliceBounds {
  var begin: TensorID, end: TensorID
  let op: SliceByIndex
  private let program: KernelProgram
  private let beginElements: [Dim]?, endElements: [Dim]?

  init(begin: TensorID, end: TensorID, op: SliceByIndex, _ context: LoweringContext) {
    (self.begin, self.end, self.op, program) = (begin, end, op, context.program)
    (beginElements, endElements) = (context.fact("begin").elements, context.fact("end").elements)
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
    if op.isSet(op.beginMask, slice.axis) { return slice.stride > 0 ? 0 : slice.high }
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
    return slice.stride > 0 ? Dim.largest(front, 0) : Dim.smallest(front, slice.high)
  }

  func clampedBegin(_ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    if let known = knownBegin(slice) { return .size(known) }
    return clamped(raw(begin, slice.axis, &params).wrapped(slice.extent), slice)
  }

  private func clampedEnd(_ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    if op.isSet(op.endMask, slice.axis) { return .size(slice.stride > 0 ? slice.extent : -1) }
    return clamped(raw(end, slice.axis, &params).wrapped(slice.extent), slice)
  }

  private func clamped(_ position: Scalar, _ slice: SliceAxis) -> Scalar {
    .binary(.max, .binary(.min, position, .size(slice.high)), .size(slice.low))
  }

  /// How many positions lie between both ends.
  func count(_ slice: SliceAxis, _ params: inout KernelParams) -> Scalar {
    let (low, high) = (clampedBegin(slice, &params), clampedEnd(slice, &params))
    let gap = slice.stride > 0 ? high - low : low - high
    let step = Scalar.integer(slice.stride == .min ? .max : abs(slice.stride), .int64)
    return .binary(.max, (gap + step - .integer(1, .int64)) / step, .integer(0, .int64))
  }
}
