import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// The rounds of a loop one after another, where constants say how many there are: values have types of their own in
/// each round, so that their ranks may change.
struct NNUnrolled {
  /// How many layers such rounds hold at most, in all of a network.
  static let mostLayers = 4096
  /// How many axes a value has at most behind a round.
  private static let mostAxes = 64

  private enum Next { case round, end, unknown }

  private let loop: NNRounds
  init(_ loop: NNRounds) { self.loop = loop }

  /// Appends the rounds, or says why there are none.
  func append(to context: inout NNContext) throws(Diagnostic) -> String? {
    let before = context.values
    context.loops += 1
    context.unrolled += 1
    defer { (context.layer, context.loops, context.unrolled) = (loop.layer, context.loops - 1, context.unrolled - 1) }
    var round = 0
    while true {
      switch try next(round, &context) {
      case .unknown: return "how many rounds there are must follow from constants then, and data decides it here"
      case .end:
        carry(from: before, in: &context)
        return nil
      case .round: break
      }
      guard context.copies < Self.mostLayers else {
        return "rounds are written out then, and these are more than \(Self.mostLayers) layers"
      }
      carry(from: before, in: &context)
      try addRound(to: &context)
      let ranks = loop.names.compactMap { context.values[$0] }.map { context.rank($0) }
      guard ranks.allSatisfy({ $0 <= Self.mostAxes }) else {
        return "there are more than \(Self.mostAxes) axes in the end"
      }
      round += 1
    }
  }

  /// Whether another round follows.
  private func next(_ round: Int, _ context: inout NNContext) throws(Diagnostic) -> Next {
    context.layer = loop.layer
    if round > 0 {
      guard let isLeft = context.values[NNWrites.isLeft].flatMap(context.builder.known) else { return .unknown }
      if isLeft.integers != [0] { return .end }
    }
    if let limit = loop.limit {
      guard let count = context.builder.known(limit)?.integers.first else { return .unknown }
      if round >= count { return .end }
    }
    let name = loop.spec.conditionVar
    if name.isEmpty { return .round }
    guard let value = context.values[name] else {
      throw Diagnostic("coreml.undefined-value", "'\(name)' is not defined before it is used")
    }
    let condition = try context.condition(value)
    guard let holds = context.builder.known(condition) else { return .unknown }
    return holds.integers == [0] ? .end : .round
  }

  /// Of what rounds write, the names outside alone are known behind them.
  private func carry(from before: [String: ValueID], in context: inout NNContext) {
    var values = before
    for name in loop.names { values[name] = context.values[name] }
    context.values = values
  }

  private func addRound(to context: inout NNContext) throws(Diagnostic) {
    context.values[NNWrites.goesOn] = context.constant(.scalar(.bool, 1), "goes_on")
    context.values[NNWrites.isLeft] = context.constant(.scalar(.bool, 0), "is_left")
    try context.add(loop.spec.bodyNetwork.layers[...])
    let isLeft = context.values[NNWrites.isLeft].flatMap(context.builder.known)
    if isLeft?.integers == [0] { try context.add(loop.spec.conditionNetwork.layers[...]) }
    context.layer = loop.layer
    // Counters become constants, so that what the next round asks for is few steps away.
    for name in loop.names {
      guard let value = context.values[name], context.fact(value).value == nil,
        let known = context.builder.known(value)
      else { continue }
      context.values[name] = context.constant(known, name)
    }
  }
}
