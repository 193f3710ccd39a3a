import MLCCore
import MLCGraph
import MLCOps

/// Rounds that carry sequences and optionals beside tensors: `ONNXRounds` over the tensors that they are spelled in.
///
/// A round in advance, nothing of which is kept, shows what becomes of them, until that stays the same.
struct ONNXSequenceLoop {
  struct Round {
    var holds: ValueID?
    var next: [ONNXValue]
    var rows: [ValueID]
  }
  typealias Body = (inout ONNXContext, _ counter: ValueID, _ carried: [ONNXValue]) throws(Diagnostic) -> Round

  let id: Diagnostic.ID
  var limit: ValueID?
  var start: ValueID?
  var initial: [ONNXValue] = []
  var names: [String]
  let body: Body

  init(id: Diagnostic.ID, names: [String], body: @escaping Body) {
    (self.id, self.names, self.body) = (id, names, body)
  }

  /// Appends the loop; gives the carried values behind the last round, then the stacks of rows as tensors.
  ///
  /// Throws what `ONNXRounds` throws, and `onnx.sequence` for values whose rank or kind changes in every round.
  func append(to context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let forms = try settledForms(in: context)
    do throws(Diagnostic) {
      return try rounds(forms, in: &context)
    } catch {
      guard error.id == "onnx.sequence", forms.contains(where: { $0.ragged != nil }) else { throw error }
      // Tensors that change their extents, as only all rounds tell, give elements of several shapes.
      return try rounds(forms.map { $0.ragged ?? $0 }, in: &context)
    }
  }

  private func rounds(_ forms: [ONNXForm], in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    var inner = context
    var (tensors, labels): ([ValueID], [String]) = ([], [])
    for (index, value) in initial.enumerated() {
      let own = try inner.tensors(of: value, in: forms[index])
      tensors += own
      labels += own.map { _ in names[index] }
    }
    let body = self.body
    let loop = ONNXRounds(id: id, limit: limit, start: start, initial: tensors, names: labels) {
      (context, counter, carried) throws(Diagnostic) in
      let round = try body(&context, counter, context.values(in: forms, from: carried))
      var next: [ValueID] = []
      for (value, form) in zip(round.next, forms) { next += try context.tensors(of: value, in: form) }
      return .init(holds: round.holds, next: next, rows: round.rows)
    }
    let results = try loop.append(to: &inner)
    context = inner
    let rows = results.dropFirst(tensors.count).map { ONNXValue.tensor($0) }
    return context.values(in: forms, from: results) + rows
  }

  /// The forms that the carried values have before and behind every round.
  private func settledForms(in context: ONNXContext) throws(Diagnostic) -> [ONNXForm] {
    var forms = try initial.map { value throws(Diagnostic) in try context.form(value) }
    if forms.allSatisfy(\.isTensor) { return forms }
    for _ in 0..<Self.attemptLimit {
      var trial = context
      let joined = try formsBehindRound(forms, in: &trial)
      if joined == forms { return forms }
      forms = joined
    }
    throw Diagnostic(id, "the sequences that are carried change in every try to tell them", kind: .unsupported)
  }

  private static let attemptLimit = 6

  private func formsBehindRound(_ forms: [ONNXForm], in trial: inout ONNXContext) throws(Diagnostic) -> [ONNXForm] {
    var inputs = [("round", TensorType(.int64, [Dim]()))]
    for (index, value) in initial.enumerated() {
      for tensor in try trial.tensors(of: value, in: forms[index]) {
        var type = trial.fact(tensor).type
        if !forms[index].isTensor, type.rank > 0 { type.shape[0] = .symbol(trial.builder.uniqueName("carried_d0")) }
        inputs.append((names[index], type))
      }
    }
    let params = trial.builder.beginBlock(inputs: inputs)
    let round = try body(&trial, params[0], trial.values(in: forms, from: Array(params.dropFirst())))
    guard round.next.count == forms.count else { throw Diagnostic(id, "a round gives too few values") }
    var joined: [ONNXForm] = []
    for (form, value) in zip(forms, round.next) { joined.append(try form.joined(try trial.form(value))) }
    return joined
  }
}
