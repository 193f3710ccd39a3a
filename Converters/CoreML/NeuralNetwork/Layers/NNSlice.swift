import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `slice` of channels, height or width.
enum NNSlice: NNLayerRule {
  static let kinds = ["slice"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.slice
    let x = try context.input()
    let rank = context.rank(x)
    let offset: Int64 =
      switch spec.axis {
      case .channelAxis: -3
      case .heightAxis: -2
      case .widthAxis: -1
      case .UNRECOGNIZED(let axis): throw NNContext.unsupported("the axis \(axis) is not known")
      }
    let axis = try context.axis(offset, rank: rank)
    func list(_ value: Int, _ other: Int) -> [Int] { (0..<rank).map { $0 == axis ? value : other } }
    let open = (0..<rank).map { $0 != axis }
    return [
      try context.emit(
        SliceByIndex(beginMask: open, endMask: open),
        x,
        context.list(list(Int(clamping: spec.startIndex), 0)),
        context.list(list(Int(clamping: spec.endIndex), 0)),
        context.list(list(max(1, Int(clamping: spec.stride)), 1))
      )
    ]
  }
}

/// `sliceStatic`, and `sliceDynamic`, whose begin and, when they are there, end, strides and masks are inputs.
enum NNSlices: NNLayerRule {
  static let kinds = ["sliceStatic", "sliceDynamic"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input(rank: 1)
    if case .sliceStatic(let spec)? = layer.spec.layer {
      var op = SliceByIndex(beginMask: spec.beginMasks, endMask: spec.endMasks)
      op.squeezeMask = spec.squeezeMasks
      let strides = spec.strides.isEmpty ? nil : context.list(numbers(spec.strides))
      return [
        try kept(
          context.emit(op, x, context.list(numbers(spec.beginIds)), context.list(numbers(spec.endIds)), strides),
          &context
        )
      ]
    }
    let spec = layer.spec.sliceDynamic
    let rank = context.rank(x)
    var op = SliceByIndex()
    op.squeezeMask = mask(spec.squeezeMasks, rank)
    if context.inputCount > 6 {
      guard let mask = try known(6, context) else {
        throw NNContext.unsupported(
          "the rank of the result would depend on data: input 6, which axes go, must follow from constants and shapes"
        )
      }
      op.squeezeMask = mask
    }
    var begin = try context.integers(try context.input(1, rank: 1))
    var end =
      context.inputCount > 2
      ? try context.integers(try context.input(2, rank: 1)) : context.list(numbers(spec.endIds))
    let strides: ValueID? =
      context.inputCount > 3
      ? try context.integers(try context.input(3, rank: 1))
      : isFilled(spec.strides, 1, rank) ? nil : context.list(numbers(spec.strides))
    if let mask = context.inputCount > 4 ? try known(4, context) : mask(spec.beginMasks, rank) {
      op.beginMask = mask
    } else {
      begin = try open(begin, 4, strides, (0, Int(Int32.max)), &context)
    }
    if let mask = context.inputCount > 5 ? try known(5, context) : mask(spec.endMasks, rank) {
      op.endMask = mask
    } else {
      end = try open(end, 5, strides, (Int(Int32.max), Int(Int32.min)), &context)
    }
    return [try kept(context.emit(op, x, begin, end, strides), &context)]
  }

  /// Input `index`, a mask; `nil` where data decides it.
  private static func known(_ index: Int, _ context: NNContext) throws(Diagnostic) -> [Bool]? {
    context.builder.known(try context.input(index))?.doubles.map { $0 != 0 }
  }

  /// Whether `list` says nothing: coremltools writes five elements of `filler` where it is given none.
  private static func isFilled<T: Equatable>(_ list: [T], _ filler: T, _ rank: Int) -> Bool {
    list.isEmpty || list.count == 5 && rank != 5 && list.allSatisfy { $0 == filler }
  }

  private static func mask(_ given: [Bool], _ rank: Int) -> [Bool] { isFilled(given, false, rank) ? [] : given }

  /// `bounds`, where input `index` is not 0 the end of the axis that walking forth, or back, begins or ends at.
  private static func open(
    _ bounds: ValueID,
    _ index: Int,
    _ strides: ValueID?,
    _ ends: (forth: Int, back: Int),
    _ context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    let zero = context.list([0])
    let isOpen = try context.emit(NotEqual(), try context.integers(try context.input(index, rank: 1)), zero)
    var end = context.list([ends.forth])
    if let strides {
      end = try context.emit(Select(), try context.emit(Less(), strides, zero), context.list([ends.back]), end)
    }
    return try context.emit(Select(), isOpen, end, bounds)
  }

  private static func numbers(_ values: [Int64]) -> [Int] { values.map { Int(Int32(clamping: $0)) } }

  /// A network has no tensors without axes.
  private static func kept(_ value: ValueID, _ context: inout NNContext) throws(Diagnostic) -> ValueID {
    context.rank(value) == 0 ? try context.reshape(value, [1]) : value
  }
}

/// `sliceBySize`: `size` elements along `axis` from where the second input says.
enum NNSliceBySize: NNLayerRule {
  static let kinds = ["sliceBySize"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.sliceBySize
    let x = try context.input(rank: 1)
    let axis = try context.axis(spec.axis, rank: context.rank(x))
    guard (1..<1 << 24).contains(spec.size) else { throw NNContext.wrong("'size' is \(spec.size)") }
    let first = try context.reshape(try context.integers(try context.input(1)), [1])
    let steps = context.list(Array(0..<Int(spec.size)))
    return [try context.emit(Gather(axis: axis), x, try context.emit(Add(), first, steps))]
  }
}

/// `slidingWindows` along an axis: `[…, n, …]` → `[…, ⌊(n − windowSize)/step⌋ + 1, windowSize, …]`.
enum NNSlidingWindows: NNLayerRule {
  static let kinds = ["slidingWindows"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.slidingWindows
    let x = try context.input(rank: 1)
    let axis = try context.axis(spec.axis, rank: context.rank(x))
    let (size, step) = (Int(clamping: spec.windowSize), max(1, Int(clamping: spec.step)))
    return [try context.slidingWindows(x, axis: axis, size: size, stride: step)]
  }
}
