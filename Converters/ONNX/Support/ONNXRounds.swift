import MLCCore
import MLCGraph
import MLCOps

/// Rounds of a body that carry values from one to the next and give rows, which are stacked: a `while_loop` over a
/// counter, the carried values, the condition where it may change, and a stack for each row.
///
/// Where the number of rounds is known before the first, or bounded by one, a stack has its full size from the start
/// and each round writes its row in place; else it grows by a row each round.
struct ONNXRounds {
  /// What one round gives, made inside of its block.
  struct Round {
    /// Whether another round follows, one truth value; always where there is none.
    var holds: ValueID?
    var next: [ValueID]
    var rows: [ValueID]
  }
  typealias Body = (inout ONNXContext, _ counter: ValueID, _ carried: [ValueID]) throws(Diagnostic) -> Round

  /// The id of what is refused.
  let id: Diagnostic.ID
  /// How many rounds there are at most, a scalar of type `int64`; no limit where there is none.
  var limit: ValueID?
  /// Whether there is a first round, a truth value; always where there is none.
  var start: ValueID?
  /// How many rows the stacks have, also where there are fewer rounds, whose rows are 0 then; a scalar of type `int64`.
  var capacity: ValueID?
  var initial: [ValueID]
  /// What the carried values are called in the body.
  var names: [String]
  /// Of each row, whether the last round gives the first of its stack.
  var reversed: [Bool] = []
  let body: Body

  /// What has been found out about the body.
  fileprivate struct Findings {
    var types: [TensorType]
    /// Whether stacks need room for a number of rounds that is known only as the model runs.
    var needsRoom = false
  }

  /// Appends the loop; gives the carried values behind the last round, then the stacks, with rounds as their first
  /// axis.
  ///
  /// Throws the id of these rounds where values change in type or rank, where stacked rows have extents that only the
  /// rounds compute, and for rounds without an end; and what the body throws.
  func append(to context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard context.rounds < Self.nestingLimit else {
      throw Diagnostic("onnx.nesting", "loops nest more than \(Self.nestingLimit) deep", kind: .unsupported)
    }
    context.rounds += 1
    defer { context.rounds -= 1 }
    let label = context.builder.uniqueName(context.node.output(0) ?? context.node.name)
    var findings = Findings(types: initial.map { context.fact($0).type })
    for _ in 0..<Self.attemptLimit {
      var trial = context
      if let results = try attempt(&findings, label: label, in: &trial) {
        context = trial
        return results
      }
    }
    throw Diagnostic(id, "the shapes that are carried change in every try to tell them", kind: .unsupported)
  }

  /// Each level may be tried again by the one around it.
  private static let nestingLimit = 6
  private static let attemptLimit = 8

  /// `nil` where `findings` say more than before, so that all has to be made again.
  private func attempt(
    _ findings: inout Findings,
    label: String,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> [ValueID]? {
    let room = findings.needsRoom ? try context.room(limit!) : nil
    let inputs = [("\(label).round", Self.count)] + zip(names, findings.types).map { ($0, $1) }
    let params = context.builder.beginBlock(inputs: inputs)
    let made = try body(&context, params[0], Array(params.dropFirst()))
    if try findings.widen(to: made.next, self, label: label, in: context) { return nil }

    let isCounted = isTrue(start, context) && isTrue(made.holds, context)
    if isCounted, limit == nil { throw Diagnostic(id, "the rounds have no end") }
    let extent = try extent(of: made.rows, room, isCounted: isCounted, in: context)
    if isCounted, extent == nil, !made.rows.isEmpty {
      findings.needsRoom = true
      return nil
    }
    let form = Form(label: label, isCounted: isCounted, extent: extent, room: room)
    let (block, types) = try ending(made, params[0], [Self.count] + findings.types, form, in: &context)
    let head = try head(types, form, in: &context)
    return try loop([head, block], types, form, in: &context)
  }

  private static let count = TensorType(.int64, [Dim]())

  /// How a loop is built.
  private struct Form {
    /// What names begin with.
    let label: String
    /// Whether the counter alone ends the rounds.
    let isCounted: Bool
    /// How many rows stacks have from the start; they grow where there is none.
    let extent: Dim?
    /// What has that extent, where it is known only as the model runs.
    let room: ValueID?
  }

  /// How many rows stacks have from the start; `nil` where that is not known.
  private func extent(of rows: [ValueID], _ room: ValueID?, isCounted: Bool, in context: ONNXContext)
    throws(Diagnostic) -> Dim?
  {
    if let capacity {
      if let extent = context.count(capacity) { return extent }
      throw Diagnostic(id, "the number of rows is not known", kind: .unsupported)
    }
    if let room { return context.fact(room).shape[0] }
    guard let bound = limit.flatMap({ context.count($0) }) else { return nil }
    return isCounted || isModest(bound, rows, context) ? bound : nil
  }

  /// Ends the block of the body; gives it with the types of all that it carries.
  private func ending(
    _ made: Round,
    _ round: ValueID,
    _ carried: [TensorType],
    _ form: Form,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> (Block, [TensorType]) {
    let next = try context.emit(Add(), round, context.constant(.scalar(.int64, 1), "one"))
    var (types, yielded) = (carried, [next] + made.next)
    if !form.isCounted {
      let truth = TensorType(.bool, [Dim]())
      _ = context.builder.addBlockInput("\(form.label).holds", truth)
      types.append(truth)
      let holds = if let holds = made.holds { try context.scalar(holds, id) } else { try context.truth() }
      yielded.append(holds)
    }
    for (number, row) in made.rows.enumerated() {
      var place = round
      if reversed.indices.contains(number), reversed[number], let limit {
        place = try context.place(round, fromEndOf: limit)
      }
      let stacked = try context.stack(row, in: form.extent, at: place, form.label)
      types.append(stacked.type)
      yielded.append(stacked.value)
    }
    return (context.builder.endBlock(yielding: yielded), types)
  }

  private func loop(
    _ blocks: [Block],
    _ types: [TensorType],
    _ form: Form,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> [ValueID] {
    var carried = [context.constant(.scalar(.int64, 0), "start")] + initial
    if !form.isCounted {
      let begins = if let start { start } else { try context.truth() }
      carried.append(begins)
    }
    let stackCount = types.count - carried.count
    for type in types.suffix(stackCount) {
      let extents = [form.extent ?? 0] + type.shape.dropFirst()
      let sources = initial + [limit, capacity, form.room].compactMap { $0 }
      carried.append(try context.zeros(type.dtype, extents, sources: sources, id))
    }
    let results = try context.emit(WhileLoop(), all: [carried], blocks: blocks)
    var stacks = Array(results.suffix(stackCount))
    if !form.isCounted, form.extent != nil, capacity == nil {
      for index in stacks.indices { stacks[index] = try context.first(results[0], of: stacks[index]) }
    }
    return results.dropFirst().prefix(initial.count) + stacks
  }

  private func isTrue(_ value: ValueID?, _ context: ONNXContext) -> Bool {
    guard let value else { return true }
    return context.fact(value).integers.map { $0.count == 1 && $0[0] != 0 } ?? false
  }

  /// Whether rows may be kept for all of `bound` rounds where there may be fewer: sizes of inputs are no larger than
  /// what they bound, numbers give up to 2²⁰ elements.
  private func isModest(_ bound: Dim, _ rows: [ValueID], _ context: ONNXContext) -> Bool {
    guard let number = bound.constant else { return true }
    return rows.allSatisfy { row in
      let length = context.fact(row).type.staticShape?.checkedProduct ?? 1
      return length.saturatingProduct(number) <= 1 << 20
    }
  }

  /// Whether a round begins: the counter is below the limit, and the condition holds.
  private func head(_ types: [TensorType], _ form: Form, in context: inout ONNXContext) throws(Diagnostic) -> Block {
    let inputs = types.enumerated().map { ("\(form.label).\($0)", $1) }
    let params = context.builder.beginBlock(inputs: inputs)
    var parts: [ValueID] = []
    if let limit { parts.append(try context.emit(Less(), params[0], limit)) }
    if !form.isCounted { parts.append(params[1 + initial.count]) }
    let all = parts.count == 1 ? parts[0] : try context.emit(LogicalAnd(), parts[0], parts[1])
    return context.builder.endBlock(yielding: [all])
  }
}

extension ONNXRounds.Findings {
  /// Makes extents open that `next` has otherwise; whether there are such.
  fileprivate mutating func widen(
    to next: [ValueID],
    _ rounds: ONNXRounds,
    label: String,
    in context: ONNXContext
  ) throws(Diagnostic) -> Bool {
    var isChanged = false
    for (number, value) in next.enumerated() {
      let (old, new) = (types[number], context.fact(value).type)
      guard old.dtype == new.dtype, old.rank == new.rank else {
        let message = "'\(rounds.names[number])' is \(old) before a round and \(new) behind it"
        throw Diagnostic(rounds.id, message, kind: old.dtype == new.dtype ? .unsupported : .badModel)
      }
      for axis in old.shape.indices where old.shape[axis] != new.shape[axis] {
        let open = Dim.symbol("\(label).carried\(number)_d\(axis)")
        guard old.shape[axis] != open else { continue }
        var shape = types[number].shape
        shape[axis] = open
        types[number] = TensorType(old.dtype, shape)
        isChanged = true
      }
    }
    return isChanged
  }
}
