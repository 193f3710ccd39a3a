import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `loop`: the body network as often as the input or `maxLoopIterations` says, and as long as `conditionVar`, which the
/// condition network computes before every round, is not 0. What of the names outside the networks write is carried
/// from round to round; its extents may change, its rank where constants say how many rounds there are (`NNUnrolled`).
enum NNLoop: NNLayerRule {
  static let kinds = ["loop"]
  private static let maximumDepth = 4

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    guard context.loops < maximumDepth else {
      throw NNContext.unsupported("loops are nested more than \(maximumDepth) deep")
    }
    let spec = layer.spec.loop
    let limit = try limit(spec, &context)
    guard limit != nil || !spec.conditionVar.isEmpty else { throw NNContext.wrong("the loop has no end") }
    let outer = (context.values[NNWrites.goesOn], context.values[NNWrites.isLeft])
    try context.add(spec.conditionNetwork.layers[...])
    context.layer = layer
    let written = NNWrites(spec.conditionNetwork.layers + spec.bodyNetwork.layers).names
    let names = written.sorted().filter { context.values[$0] != nil && !$0.hasPrefix("\0") }
    try append(NNRounds(layer: layer, spec: spec, limit: limit, names: names), to: &context)
    (context.values[NNWrites.goesOn], context.values[NNWrites.isLeft]) = outer
    return []
  }

  /// The loop as one operation, or else its rounds one after another.
  private static func append(_ loop: NNRounds, to context: inout NNContext) throws(Diagnostic) {
    var attempt = context
    let problem: Diagnostic
    do throws(Diagnostic) {
      var loop = loop
      try loop.append(to: &attempt)
      context = attempt
      return
    } catch { problem = error }
    context.copies = attempt.copies
    guard let reason = try NNUnrolled(loop).append(to: &context) else { return }
    guard problem.id == NNRounds.changedRank else { throw problem }
    throw Diagnostic(problem.id, "\(problem.message): \(reason)", kind: .unsupported)
  }

  /// How many rounds there are at most, `int32[]`.
  private static func limit(_ spec: CoreML_Specification_LoopLayerParams, _ context: inout NNContext)
    throws(Diagnostic) -> ValueID?
  {
    if context.inputCount > 0 {
      let count = try context.integers(try context.input())
      return try context.converted(context.rank(count) == 0 ? count : try context.reshape(count, []), to: .int32)
    }
    guard spec.maxLoopIterations > 0 else { return nil }
    return context.constant(.scalar(.int32, Int(Int32(clamping: spec.maxLoopIterations))), "limit")
  }
}

/// The two blocks of a loop: `round: int32[]`, whether it is left, and the carried values by their names.
struct NNRounds {
  static let changedRank: Diagnostic.ID = "coreml.loop"

  let layer: NNLayer
  let spec: CoreML_Specification_LoopLayerParams
  let limit: ValueID?
  let names: [String]
  private(set) var initial: [ValueID] = []

  init(layer: NNLayer, spec: CoreML_Specification_LoopLayerParams, limit: ValueID?, names: [String]) {
    (self.layer, self.spec, self.limit, self.names) = (layer, spec, limit, names)
  }

  /// The loop, and what its names stand for behind it. Throws `coreml.loop` where a round changes a rank.
  mutating func append(to context: inout NNContext) throws(Diagnostic) {
    var types = names.map { context.fact(context.values[$0]!).type }
    for _ in 0..<4 {
      var trial = context
      defer { context.copies = trial.copies }
      let next = try self.blocks(types, in: &trial).types
      let wider = zip(types, next).enumerated().map { joined($1.0, $1.1, number: $0) }
      if wider == types { break }
      types = wider
    }
    let (blocks, next) = try self.blocks(types, in: &context)
    for (name, (before, after)) in zip(names, zip(types, next)) where before.rank != after.rank {
      throw Diagnostic(Self.changedRank, "a round makes of '\(name)', which is \(before), a value that is \(after)")
    }
    start(in: &context)
    let results = try context.builder.append(
      WhileLoop(),
      [initial],
      names: ["\(layer.name).round", "\(layer.name).is_left"] + names,
      blocks: blocks,
      origin: context.origin
    )
    for (name, result) in zip(names, results.dropFirst(2)) { context.values[name] = result }
  }

  /// The values before the first round.
  private mutating func start(in context: inout NNContext) {
    initial = [context.constant(.scalar(.int32, 0), "first"), context.constant(.scalar(.bool, 0), "is_left")]
    initial += names.map { context.values[$0]! }
  }

  /// A type whose extents are those of both, or open where they differ.
  private func joined(_ a: TensorType, _ b: TensorType, number: Int) -> TensorType {
    guard a.rank == b.rank, a.dtype == b.dtype else { return a }
    return TensorType(
      a.dtype,
      a.shape.indices.map { axis in
        a.shape[axis] == b.shape[axis] ? a.shape[axis] : .symbol("\(layer.name).\(names[number]).d\(axis)")
      }
    )
  }

  /// Both blocks, and the types that a round gives of values of `types`.
  private func blocks(_ types: [TensorType], in context: inout NNContext) throws(Diagnostic) -> (
    blocks: [Block], types: [TensorType]
  ) {
    let before = context.values
    context.loops += 1
    defer { (context.values, context.layer, context.loops) = (before, layer, context.loops - 1) }
    let first = enter(types, in: &context)
    let holds = try holds(first.round, first.isLeft, in: &context)
    let condition = context.builder.endBlock(yielding: [holds])
    context.values = before
    let (round, isLeft) = enter(types, in: &context)
    context.values[NNWrites.goesOn] = context.constant(.scalar(.bool, 1), "goes_on")
    context.values[NNWrites.isLeft] = isLeft
    try context.add(spec.bodyNetwork.layers[...])
    context.layer = layer
    try prepareNext(in: &context)
    context.layer = layer
    let next = try context.emit(Add(), round, context.constant(.scalar(.int32, 1), "one"))
    let values = names.map { context.values[$0]! }
    let types = values.map { context.fact($0).type }
    let body = context.builder.endBlock(yielding: [next, context.values[NNWrites.isLeft]!] + values)
    return ([condition, body], types)
  }

  private func enter(_ types: [TensorType], in context: inout NNContext) -> (round: ValueID, isLeft: ValueID) {
    let own: [(name: String, type: TensorType)] = [
      ("\(layer.name).round", TensorType(.int32, [Dim]())),
      ("\(layer.name).is_left", TensorType(.bool, [Dim]())),
    ]
    let inputs = context.builder.beginBlock(inputs: own + zip(names, types).map { (name: $0, type: $1) })
    for (name, value) in zip(names, inputs.dropFirst(2)) { context.values[name] = value }
    return (inputs[0], inputs[1])
  }

  /// The condition network, unless the loop is left.
  private func prepareNext(in context: inout NNContext) throws(Diagnostic) {
    let layers = spec.conditionNetwork.layers[...]
    guard !layers.isEmpty else { return }
    guard NNWrites(spec.bodyNetwork.layers).names.contains(NNWrites.isLeft),
      let isLeft = context.values[NNWrites.isLeft]
    else { return try context.add(layers) }
    try context.branch(on: try context.emit(LogicalNot(), isLeft), [layers, []])
  }

  private func holds(_ round: ValueID, _ isLeft: ValueID, in context: inout NNContext) throws(Diagnostic) -> ValueID {
    var result = try context.emit(LogicalNot(), isLeft)
    if let limit { result = try context.emit(LogicalAnd(), result, try context.emit(Less(), round, limit)) }
    guard !spec.conditionVar.isEmpty else { return result }
    guard let value = context.values[spec.conditionVar] else {
      throw Diagnostic("coreml.undefined-value", "'\(spec.conditionVar)' is not defined before it is used")
    }
    return try context.emit(LogicalAnd(), result, try context.condition(value))
  }
}
