import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `concat` of channels or of sequences, `concatND` along any axis, also taking from each input in turn, and `stack`.
enum NNConcat: NNLayerRule {
  static let kinds = ["concat", "concatND", "stack"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let values = try context.inputs()
    let rank = context.rank(values[0])
    switch layer.spec.layer {
    case .concat(let spec)?:
      let axis = try context.axis(spec.sequenceConcat ? -5 : -3, rank: rank)
      return try context.emit(Concat(axis: axis), all: [values])
    case .concatNd(let spec)?:
      let axis = try context.axis(spec.axis, rank: rank)
      guard spec.interleave else { return try context.emit(Concat(axis: axis), all: [values]) }
      return [try context.interleaved(values, axis: axis)]
    default: return [try stack(values, try context.axis(layer.spec.stack.axis, rank: rank + 1), &context)]
    }
  }

  private static func stack(_ values: [ValueID], _ axis: Int, _ context: inout NNContext) throws(Diagnostic) -> ValueID
  {
    var pieces: [ValueID] = []
    for value in values { pieces.append(try context.emit(ExpandDims([axis]), value)) }
    return try context.emit(Concat(axis: axis), all: [pieces])[0]
  }
}

/// `split` of channels into equal parts, and `splitND` along any axis.
enum NNSplit: NNLayerRule {
  static let kinds = ["split", "splitND"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    guard case .splitNd(let spec)? = layer.spec.layer else {
      let x = try context.input(rank: 3)
      return try equal(x, axis: context.rank(x) - 3, layer.spec.split.nOutputs, &context)
    }
    let x = try context.input(rank: 1)
    let axis = try context.axis(spec.axis, rank: context.rank(x))
    guard !spec.splitSizes.isEmpty else { return try equal(x, axis: axis, spec.numSplits, &context) }
    guard spec.splitSizes.count == layer.spec.output.count else {
      throw NNContext.wrong("there are \(spec.splitSizes.count) sizes for \(layer.spec.output.count) outputs")
    }
    return try context.emit(Split(axis: axis, sizes: spec.splitSizes.map { Int(clamping: $0) }), all: [[x]])
  }

  private static func equal(_ x: ValueID, axis: Int, _ count: UInt64, _ context: inout NNContext) throws(Diagnostic)
    -> [ValueID]
  {
    let count = count == 0 ? context.layer.spec.output.count : Int(clamping: count)
    guard count == context.layer.spec.output.count, count > 0, try context.extent(x, axis).isMultiple(of: count) else {
      throw NNContext.wrong("\(context.fact(x).type) does not divide into \(count) parts")
    }
    return try context.emit(Split(axis: axis, count: count), all: [[x]])
  }
}

/// `tile`, and `sequenceRepeat`, which repeats the sequence as a whole.
enum NNTile: NNLayerRule {
  static let kinds = ["tile", "sequenceRepeat"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .tile(let spec)? = layer.spec.layer {
      let x = try context.input()
      if context.inputCount > 1 {
        return [try context.emit(Tile(), x, try context.integers(try context.input(1, rank: 1)))]
      }
      return [try context.emit(Tile(), x, context.list(spec.reps.map { Int(clamping: $0) }))]
    }
    let x = try context.input(rank: 5)
    let count = max(1, Int(clamping: layer.spec.sequenceRepeat.nRepetitions))
    let reps = (0..<context.rank(x)).map { $0 == context.rank(x) - 5 ? count : 1 }
    return [try context.emit(Tile(), x, context.list(reps))]
  }
}

/// `broadcastToStatic`, `broadcastToLike`, `broadcastToDynamic`.
enum NNBroadcast: NNLayerRule {
  static let kinds = ["broadcastToStatic", "broadcastToLike", "broadcastToDynamic"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input()
    let shape: ValueID =
      switch layer.spec.layer {
      case .broadcastToStatic(let spec)?: context.list(spec.targetShape.map { Int(Int32(clamping: $0)) })
      case .broadcastToLike?: try context.emit(Shape(dtype: .int32), try context.input(1))
      default: try context.integers(try context.input(1, rank: 1))
      }
    return [try context.emit(BroadcastTo(), x, shape)]
  }
}

/// `reverse` of marked axes; `reverseSeq` of the first elements along an axis, as many as the second input says.
enum NNReverse: NNLayerRule {
  static let kinds = ["reverse", "reverseSeq"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .reverseSeq(let spec)? = layer.spec.layer {
      let (x, lengths) = (try context.input(rank: 2), try context.integers(try context.input(1)))
      let (batch, time) = (Int(clamping: spec.batchAxis), Int(clamping: spec.sequenceAxis))
      return [try context.reversedSequences(x, lengths, batch: batch, time: time)]
    }
    let marks = layer.spec.reverse.reverseDim
    let x = try context.input()
    guard marks.count == context.rank(x) else { throw NNContext.wrong("'reverseDim' is \(marks)") }
    let axes = marks.indices.filter { marks[$0] }
    return [axes.isEmpty ? try context.emit(Identity(), x) : try context.emit(Reverse(axes), x)]
  }
}
