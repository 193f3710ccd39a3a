import MLCCore
import MLCGraph
import MLCOps

extension BroadcastTo: MILLegalizable {
  /// A reshape that adds axes, and a tile, when both shapes are fixed.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0], let shape = use[1], let target = builder.fact(shape).elements?.map(\.constant),
      let source = builder.fact(x).type.staticShape, !target.contains(nil)
    else { return nil }
    let result = try Broadcast.shape([source, target.map { $0! }])
    if result == source { return [try use.append(Identity(), x, in: &builder, last: true)] }
    let padded = [Int](repeating: 1, count: result.count - source.count) + source
    var value = x
    if padded != source { value = try use.append(Reshape(), x, use.list(padded, "shape", in: &builder), in: &builder) }
    let reps = zip(result, padded).map { $1 == 1 ? $0 : 1 }
    guard reps.allSatisfy({ $0 > 0 }) else { return nil }
    return [try use.append(Tile(), value, use.list(reps, "reps", in: &builder), in: &builder, last: true)]
  }
}

extension Shape: MILLegalizable {
  /// The whole shape in 32 bits, then a slice of it, then the element type.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    let rank = builder.fact(x).rank
    func clamp(_ axis: Int) -> Int { max(0, min(rank, axis < 0 ? axis + rank : axis)) }
    let range = clamp(start)..<max(clamp(start), clamp(end ?? rank))
    let wide = dtype == .int64 || dtype == .int32
    guard rank > 0, !range.isEmpty, range.count < rank || !wide || end != nil || start != 0 else { return nil }
    let whole = range.count == rank
    var value = try use.append(Shape(dtype: .int32), x, in: &builder, last: whole && wide)
    if !whole {
      let begin = use.list([range.lowerBound], "begin", in: &builder)
      let end = use.list([range.upperBound], "end", in: &builder)
      value = try use.append(SliceByIndex(), value, begin, end, in: &builder, last: wide)
    }
    return [wide ? value : try use.append(Cast(dtype), value, in: &builder, last: true)]
  }
}

extension Shape: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.drop("start", unless: start == 0)
    call.drop("end", unless: end == nil)
    call.drop("output_dtype", unless: dtype == .int32)
  }
}

extension NonZero: MILLegalizable {
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard transposed, let x = use[0] else { return nil }
    let rows = try use.append(NonZero(), x, in: &builder)
    return [try use.append(Transpose([1, 0]), rows, in: &builder, last: true)]
  }
}

extension NonZero: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) { call.drop("transposed", unless: !transposed) }
}

extension Trilu: MILLegalizable {
  /// A band that includes the diagonal, when `k` is fixed and the band does.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]? {
    guard let x = use[0] else { return nil }
    var offset: Int? = 0
    if let k = use[1] { offset = builder.fact(k).value?.integers.first }
    guard let k = offset, upper ? k <= 0 : k >= 0 else { return nil }
    let band = upper ? BandPart(lower: -k, upper: -1) : BandPart(lower: -1, upper: k)
    return [try use.append(band, x, in: &builder, last: true)]
  }
}

extension Split: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    guard splitSizes.isEmpty else {
      call["num_splits"] = nil
      return
    }
    let axis = axis < 0 ? axis + context.result().rank : axis
    let sizes = context.operation.outputs.compactMap { context.function.fact($0).shape[axis].constant }
    guard sizes.count == context.operation.outputs.count, Set(sizes).count > 1 else { return }
    call["num_splits"] = nil
    call["split_sizes"] = .ints(sizes)
  }
}

extension OneHot: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    if let depth = context.fact("depth")?.value?.integers.first {
      call.removeOperand("depth")
      call["one_hot_vector_size"] = .int(depth)
    } else {
      call.renameOperand("depth", to: "one_hot_vector_size")
    }
  }
}

extension Concat: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) { call["interleave"] = .bool(false) }
}

extension Pad: MILSpelled {
  /// MIL wants the value in every mode, as a scalar.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    guard let x = context.fact("x") else { return }
    if mode == "wrap" { return call.block("Core ML's pad has no mode 'wrap'") }
    if let value = context.fact("constant_val"), value.rank == 0 { return }
    let given = context.fact("constant_val").map { $0.value }
    guard given != .some(nil), !x.dtype.isPacked, x.dtype != .string else { return call.block("its value is computed") }
    call.removeOperand("constant_val")
    call["constant_val"] = .tensor(given??.reshaped([]) ?? Tensor(x.dtype, [], [0.0]))
  }
}
