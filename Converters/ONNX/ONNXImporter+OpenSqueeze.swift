import MLCCore
import MLCGraph
import MLCOps

/// `Squeeze` without axes, of extents known only as the model runs, which decide the rank of what it gives: an `If` on
/// whether the first of them is 1, each side of which goes on with the others.
extension ONNXImporter {
  /// The most nodes that are compiled again for another rank, over all of the ranks.
  private static let mostRepeated = 4096

  /// Converts `squeeze`, of whose axes `open` may be 1; `following` are the nodes behind it, of which those are given
  /// that remain.
  ///
  /// What follows is compiled for each rank as far as until all give the same again. Where they do not, where it runs
  /// with the axes alone, and where too much follows, open axes stay, whatever their extents; that is noted.
  func addOpenSqueeze(
    _ squeeze: ONNXNode,
    of open: [Int],
    before following: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    to context: inout ONNXContext
  ) throws(Diagnostic) -> ArraySlice<ONNXNode> {
    let rest = ONNXContinuation(of: squeeze, in: following)
    if !rest.others.isEmpty { return rest.others + [squeeze] + rest.dependents }
    do throws(Diagnostic) {
      var whole = context
      if let remaining = try addRanks(squeeze, of: open, before: following, yielding: results, to: &whole) {
        context = whole
        return remaining
      }
    } catch {
      guard error.meansTypes else { throw error }
    }
    let note = "open axes stay, also where their extent is 1; give it 'axes' to say which go"
    context.notes.append("\(squeeze.location): \(note)")
    return [squeeze.keeping(context.rank(of: squeeze))] + following
  }

  /// `nil` where open axes have to stay; throws `cond.rank` where what a side goes on with makes them so.
  private func addRanks(
    _ squeeze: ONNXNode,
    of open: [Int],
    before following: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    to context: inout ONNXContext
  ) throws(Diagnostic) -> ArraySlice<ONNXNode>? {
    let most = Self.mostRepeated >> (context.takingIn + open.count)
    guard open.count <= 4, most > 0 else { return nil }
    func needed(behind count: Int) -> Set<String> { results.union(following.dropFirst(count).flatMap(\.reads)) }

    var tried = following.prefix(most)
    let variants = squeeze.variants(dropping: open, rank: context.rank(of: squeeze))
    let output = squeeze.outputs[0]
    var ranks = ONNXBranchTrial(variants, giving: output, tried, yielding: needed(behind: tried.count), in: context)
    let agreement = ranks.agreement()
    if let agreement { tried = tried.prefix(agreement) }

    let branch = try context.branch(squeeze, on: open[0])
    var sides = try ONNXBranchTrial(branch, tried, yielding: needed(behind: tried.count), in: context)
    switch sides.verdict() {
    case .merging(let count, let names) where agreement != nil || tried.count == following.count:
      try take(following.prefix(count), into: branch, yielding: names, to: &context)
      return following.dropFirst(count)
    case .only(0, let reason): return try assume(side: 0, of: branch, because: reason, in: &context) + following
    case .merging, .only, .refused, .apart: return nil
    }
  }
}

extension ONNXContext {
  /// The axes that may be 1 of what `node` squeezes, if it is a `Squeeze` without axes; none where all is known that
  /// decides its rank.
  func openAxes(_ node: ONNXNode) throws(Diagnostic) -> [Int] {
    guard node.opType == "Squeeze", node.domain.isEmpty, node.input(1) == nil, node.output(0) != nil,
      let x = node.input(0).flatMap({ values[$0]?.tensor }), (try node.ints("axes") ?? []).isEmpty
    else { return [] }
    let (shape, kept) = (fact(x).shape, try node.ints(ONNXNode.keptAxes) ?? [])
    return shape.indices.filter { axis in
      shape[axis].constant == nil && !kept.contains(axis) && (shape[axis].lowerBound ?? 0) < 2
    }
  }

  /// `squeeze` as an `If` on whether `axis` is 1.
  mutating func branch(_ squeeze: ONNXNode, on axis: Int) throws(Diagnostic) -> ONNXNode {
    node = squeeze
    let (x, y, kept) = (squeeze.inputs[0], squeeze.outputs[0], try squeeze.ints(ONNXNode.keptAxes) ?? [])
    let condition = unusedName("\(y).is_one_\(axis)")
    let extent = try emit(Shape(start: axis, end: axis + 1, dtype: .int64), try required(0))
    define(condition, .tensor(try emit(Equal(), extent, constant(ints: [1]))))
    let dropped = unusedName("\(y).without_\(axis)")
    let yes = [
      squeeze.squeeze(x, dropped, ["axes": .ints([axis])]),
      squeeze.squeeze(dropped, unusedName("\(y).squeezed_\(axis)"), [ONNXNode.keptAxes: .ints(kept)]),
    ]
    let no = [squeeze.squeeze(x, unusedName("\(y).kept_\(axis)"), [ONNXNode.keptAxes: .ints(kept + [axis])])]
    return ONNXNode(
      name: squeeze.name,
      opType: "If",
      inputs: [condition],
      outputs: [y],
      attributes: ["then_branch": .graph(ONNXGraph(yes)), "else_branch": .graph(ONNXGraph(no))]
    )
  }

  fileprivate func rank(of squeeze: ONNXNode) -> Int {
    squeeze.input(0).flatMap { values[$0]?.tensor }.map { fact($0).shape.count } ?? 0
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

extension ONNXNode {
  /// This `Squeeze`, of a tensor of `rank`, without the open axes.
  fileprivate func keeping(_ rank: Int) -> ONNXNode {
    squeeze(inputs[0], outputs[0], [Self.keptAxes: .ints(Array(0..<rank))])
  }

  /// For each choice among the axes `open`, those of this `Squeeze` with the axes chosen and no other open one.
  fileprivate func variants(dropping open: [Int], rank: Int) -> [[ONNXNode]] {
    (0..<1 << open.count).map { choice in
      let axes = open.indices.filter { choice >> $0 & 1 == 1 }.map { open[$0] }
      if axes.isEmpty { return [keeping(rank)] }
      let dropped = "\(outputs[0]).without_\(axes.map(String.init).joined(separator: "_"))"
      let first = squeeze(inputs[0], dropped, ["axes": .ints(axes)])
      return [first, squeeze(dropped, outputs[0], [Self.keptAxes: .ints(Array(0..<rank))])]
    }
  }
}

extension ONNXGraph {
  /// A body of `nodes` that gives what the last of them does, of what the first reads.
  fileprivate init(_ nodes: [ONNXNode]) {
    self.init(nodes: nodes, outputs: [ONNXValueInfo(name: nodes[nodes.count - 1].outputs[0])])
    captures = [nodes[0].inputs[0]]
  }
}
