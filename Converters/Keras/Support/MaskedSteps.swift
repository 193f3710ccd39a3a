import MLCCore
import MLCGraph
import MLCOps

/// The steps of sequences that a mask lets count, as indices.
///
/// With c the running count of a sequence's steps that count, step t that counts stands at c[t] − 1 when these are
/// brought to the front, and every step t shows what stands there: the last one up to it that counts.
struct MaskedSteps {
  /// How many steps count: `int32[batch]`.
  let lengths: ValueID
  private let mask: ValueID
  /// `int32[batch, steps]`: c.
  private let counts: ValueID
  /// `int32[batch, steps]`: the steps that count, in order, then zeros.
  private let order: ValueID

  init(_ mask: ValueID, in context: inout KerasContext) throws(Diagnostic) {
    self.mask = mask
    let ones = try context.emit(Cast(.int32), mask)
    lengths = try context.emit(ReduceSum(axes: [1]), ones)
    var running = Cumsum()
    running.axis = 1
    counts = try context.emit(running, ones)
    // t + 1 is scattered to place c[t], and to place 0, which is cut off, for steps that do not count.
    var every = Cumsum()
    every.axis = 1
    let zeros = try context.emit(Sub(), ones, ones)
    let one = context.constant(Tensor.scalar(.int32, 1))
    let numbers = try context.emit(every, try context.emit(Add(), zeros, one))
    let steps = try context.emit(Sub(), numbers, one)
    let places = try context.emit(Mul(), counts, ones)
    let padded = try context.emit(
      Pad(mode: "constant"),
      zeros,
      context.constant(ints: [1, 0], "pad"),
      context.constant(Tensor.scalar(.int32, 0))
    )
    let scattered = try context.emit(ScatterAlongAxis(axis: 1, mode: .update), padded, places, steps)
    let cut = SliceByIndex(beginMask: [true, false], endMask: [true, true])
    order = try context.emit(
      cut,
      scattered,
      context.constant(ints: [0, 1], "begin"),
      context.constant(ints: [0, 0], "end")
    )
  }

  /// `[batch, steps, C]` with the steps that count at the front.
  func brought(_ x: ValueID, in context: inout KerasContext) throws(Diagnostic) -> ValueID {
    try gathered(x, order, &context)
  }

  /// The inverse on outputs, where a step that does not count shows the output before it, zeros at first or always.
  func returned(_ y: ValueID, zeroesMasked: Bool, in context: inout KerasContext) throws(Diagnostic) -> ValueID {
    let one = context.constant(Tensor.scalar(.int32, 1))
    let zero = context.constant(Tensor.scalar(.int32, 0))
    let last = try context.emit(Maximum(), try context.emit(Sub(), counts, one), zero)
    let spread = try gathered(y, last, &context)
    let shown = zeroesMasked ? mask : try context.emit(Greater(), counts, zero)
    return try context.emit(
      Select(),
      try context.emit(ExpandDims([2]), shown),
      spread,
      context.scalar(0, like: spread)
    )
  }

  private func gathered(
    _ x: ValueID,
    _ indices: ValueID,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    var op = Gather(axis: 1)
    op.batchDims = 1
    return try context.emit(op, x, indices)
  }
}
