import MLCCore
import MLCGraph
import MLCOps

extension ONNXImporter {
  /// Converts an `If`; `following` are the nodes behind it, of which those are given that remain.
  ///
  /// Where the condition is known, the side that runs stands in the place of the node. Where what the sides give
  /// differs in rank, each takes in the nodes that depend on it, as far as until both give the same again. A side on
  /// which these cannot run, whatever the inputs, is left out: what the other gives holds as long as the condition
  /// chooses it, which is checked as the model runs and noted. Throws what the sides throw, and `cond.rank` where they
  /// stay apart.
  func addBranch(
    _ node: ONNXNode,
    before following: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    to context: inout ONNXContext
  ) throws(Diagnostic) -> ArraySlice<ONNXNode> {
    if let body = try knownBody(of: node, in: context) {
      addInitializers(body, to: &context)
      return body.nodes + (try node.bindings(to: body)) + following
    }
    let problem: Diagnostic
    do throws(Diagnostic) {
      var whole = context
      try add(node, to: &whole)
      context = whole
      return following
    } catch { problem = error }
    guard problem.meansTypes, context.takingIn < 6 else { throw problem }
    if let reordered = context.postponing(node, behind: following) { return reordered }
    var trial = try ONNXBranchTrial(node, following, yielding: results, in: context)
    switch trial.verdict() {
    case .merging(let count, let names):
      try take(following.prefix(count), into: node, yielding: names, to: &context)
      return following.dropFirst(count)
    case .only(let side, let reason):
      return try assume(side: side, of: node, because: reason, in: &context) + following
    case .refused(let reason): throw reason
    case .apart: throw problem
    }
  }

  /// Converts `branch` with `nodes` behind each of its sides, which then give `names`.
  func take(
    _ nodes: ArraySlice<ONNXNode>,
    into branch: ONNXNode,
    yielding names: [String],
    to context: inout ONNXContext
  ) throws(Diagnostic) {
    if names.isEmpty { return }
    context.takingIn += 1
    try add(try branch.takingIn(nodes, yielding: names), to: &context)
    context.takingIn -= 1
  }

  /// Nodes that stand for `branch` as long as its condition chooses `side`; on the other something cannot run.
  func assume(side: Int, of branch: ONNXNode, because reason: Diagnostic, in context: inout ONNXContext)
    throws(Diagnostic) -> [ONNXNode]
  {
    let body = try branch.bodies()[side]
    let name = side == 0 ? "then_branch" : "else_branch"
    let place = Location(node: reason.location.node, op: reason.location.op)
    let cause = "in the other, \(place) cannot: \(reason.message)"
    context.notes.append("\(branch.location): only the side '\(name)' can run and is read; \(cause)")
    addInitializers(body, to: &context)
    return body.nodes + (try branch.bindings(to: body, assuming: side == 0))
  }

  /// The body that a condition known here chooses; `nil` where it is not, and where a name in the body has a meaning
  /// outside.
  func knownBody(of node: ONNXNode, in context: ONNXContext) throws(Diagnostic) -> ONNXGraph? {
    guard let name = node.input(0), let value = context.values[name]?.tensor else { return nil }
    guard let known = context.fact(value).value, known.dtype == .bool, known.count == 1 else { return nil }
    let body = try node.bodies()[known.integers[0] != 0 ? 0 : 1]
    return body.ownNames.contains { context.values[$0] != nil } ? nil : body
  }
}

extension Diagnostic {
  /// Whether it says that types do not fit, of operands or of the sides of a branch, not that the file is wrong or has
  /// what mlc lacks.
  var meansTypes: Bool { id == "cond.rank" || (kind == .badModel && !id.rawValue.hasPrefix("onnx.")) }
}

extension ONNXContext {
  /// `following` with `branch` behind all that does not depend on it; `nil` where nothing would move, or it has moved
  /// before: two branches that do not depend on each other would change places for ever.
  mutating func postponing(_ branch: ONNXNode, behind following: ArraySlice<ONNXNode>) -> ArraySlice<ONNXNode>? {
    let rest = ONNXContinuation(of: branch, in: following)
    guard !rest.others.isEmpty, postponed.insert(branch.outputs).inserted else { return nil }
    return rest.others + [branch] + rest.dependents
  }

  /// The first input of `node`, checked to be what the sides of an `If` left.
  mutating func assumed(_ node: ONNXNode) throws(Diagnostic) -> ONNXValue {
    let (x, condition) = (try value(0), try required(1))
    let holds = try node.flag("holds") ? condition : try emit(LogicalNot(), condition)
    return try ensured(x, holds)
  }
}
