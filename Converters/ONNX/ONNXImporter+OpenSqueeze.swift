import MLCCore
import MLCGraph
import MLCOps

/// `Squeeze` without axes, of extents known only as the model runs, which decide the rank of what it gives: an `If` on
/// whether the first of them is 1, each side of which goes on with the others.
extension ONNXImporter {
  /// Converts `squeeze`, which means `branch`; `following` are the nodes behind it, of which those are given that
  /// remain.
  ///
  /// What follows is compiled for both ranks as far as until both give the same again. Where they do not, where it runs
  /// with the axis alone, and where too much follows, open axes stay, whatever their extents; that is noted.
  func addOpenSqueeze(
    _ squeeze: ONNXNode,
    as branch: ONNXNode,
    before following: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    to context: inout ONNXContext
  ) throws(Diagnostic) -> ArraySlice<ONNXNode> {
    let rest = ONNXContinuation(of: squeeze, in: following)
    if !rest.others.isEmpty { return rest.others + [squeeze] + rest.dependents }
    do throws(Diagnostic) {
      if context.takingIn < 4, rest.dependents.count << context.takingIn <= 4096 {
        var trial = try ONNXBranchTrial(branch, rest.dependents, yielding: results, in: context)
        switch trial.verdict() {
        case .merging(let count, let names):
          var whole = context
          try take(rest.dependents.prefix(count), into: branch, yielding: names, to: &whole)
          context = whole
          return following.dropFirst(count)
        case .only(0, let reason):
          return try assume(side: 0, of: branch, because: reason, in: &context) + following
        case .only, .refused, .apart: break
        }
      }
    } catch {
      guard error.meansTypes else { throw error }
    }
    let note = "open axes stay, also where their extent is 1; give it 'axes' to say which go"
    context.notes.append("\(squeeze.location): \(note)")
    return [try context.keeping(squeeze)] + following
  }
}

extension ONNXContext {
  /// The `If` that `squeeze` means; `nil` where all is known that decides the rank.
  mutating func branch(_ squeeze: ONNXNode) throws(Diagnostic) -> ONNXNode? {
    guard squeeze.opType == "Squeeze", squeeze.domain.isEmpty, squeeze.input(1) == nil,
      let output = squeeze.output(0), let name = squeeze.input(0), let x = values[name]?.tensor,
      (try squeeze.ints("axes") ?? []).isEmpty
    else { return nil }
    let (shape, kept) = (fact(x).shape, try squeeze.ints(ONNXNode.keptAxes) ?? [])
    let open = shape.indices.first { axis in
      shape[axis].constant == nil && !kept.contains(axis) && (shape[axis].lowerBound ?? 0) < 2
    }
    guard let axis = open else { return nil }
    node = squeeze
    let extent = try emit(Shape(start: axis, end: axis + 1, dtype: .int64), x)
    let condition = unusedName("\(output).is_one_\(axis)")
    define(condition, .tensor(try emit(Equal(), extent, constant(ints: [1]))))
    let dropped = unusedName("\(output).without_\(axis)")
    let yes = [
      squeeze.squeeze(name, dropped, ["axes": .ints([axis])]),
      squeeze.squeeze(dropped, unusedName("\(output).squeezed_\(axis)"), [ONNXNode.keptAxes: .ints(kept)]),
    ]
    let no = [squeeze.squeeze(name, unusedName("\(output).kept_\(axis)"), [ONNXNode.keptAxes: .ints(kept + [axis])])]
    return ONNXNode(
      name: squeeze.name,
      opType: "If",
      inputs: [condition],
      outputs: [output],
      attributes: ["then_branch": .graph(ONNXGraph(yes)), "else_branch": .graph(ONNXGraph(no))]
    )
  }

  /// `squeeze` without the open axes.
  fileprivate func keeping(_ squeeze: ONNXNode) throws(Diagnostic) -> ONNXNode {
    let rank = try squeeze.input(0).flatMap { values[$0]?.tensor }.map { fact($0).shape.count } ?? 0
    return squeeze.squeeze(squeeze.inputs[0], squeeze.outputs[0], [ONNXNode.keptAxes: .ints(Array(0..<rank))])
  }

  private func unusedName(_ wish: String) -> String {
    var name = wish
    while values[name] != nil { name += "'" }
    return name
  }
}

extension ONNXNode {
  /// Which axes a `Squeeze` without axes keeps, whatever their extents.
  fileprivate static let keptAxes = "mlc-kept"

  fileprivate func squeeze(_ x: String, _ y: String, _ attributes: [String: ONNXAttribute]) -> ONNXNode {
    ONNXNode(name: name, opType: "Squeeze", inputs: [x], outputs: [y], attributes: attributes)
  }
}

extension ONNXGraph {
  /// A body of `nodes` that gives what the last of them does, of what the first reads.
  fileprivate init(_ nodes: [ONNXNode]) {
    self.init(nodes: nodes, outputs: [ONNXValueInfo(name: nodes[nodes.count - 1].outputs[0])])
    captures = [nodes[0].inputs[0]]
  }
}
