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
  /// What follows is compiled for each rank as far as until all give the same again. Where they do not, the ranks that
  /// the model declares for its outputs say which axes are 1, as is checked when it runs; throws `onnx.squeeze-rank`
  /// for an output without one. Where these do not say it, where what follows runs with the axes alone, and where it is
  /// too much, open axes stay, whatever their extents; that is noted.
  func addOpenSqueeze(
    _ squeeze: ONNXNode,
    of open: [Int],
    before following: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    to context: inout ONNXContext
  ) throws(Diagnostic) -> ArraySlice<ONNXNode> {
    if let reordered = context.postponing(squeeze, behind: following) { return reordered }
    do throws(Diagnostic) {
      var whole = context
      if let remaining = try addRanks(squeeze, of: open, before: following, yielding: results, to: &whole) {
        context = whole
        return remaining
      }
    } catch {
      guard error.meansTypes else { throw error }
      let names = squeeze.outputs + following.flatMap(\.outputs)
      let undeclared = names.first { results.contains($0) && context.declaredRanks[$0] == nil }
      if context.depth == 0, let undeclared {
        let axes = open.map(String.init).joined(separator: ", ")
        let why = "the rank of output '\(undeclared)' is open: it depends on which of the axes \(axes) have extent 1"
        throw Diagnostic("onnx.squeeze-rank", why, kind: .unsupported, at: squeeze.location)
      }
    }
    let note = "open axes stay, also where their extent is 1; give it 'axes' to say which go"
    context.notes.append("\(squeeze.location): \(note)")
    return [context.keeping(squeeze)] + following
  }

  /// `nil` where open axes have to stay; throws `cond.rank` where sides stay apart.
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
    let variants = context.variants(squeeze, dropping: open)
    let output = squeeze.outputs[0]
    var ranks = ONNXBranchTrial(variants, giving: output, tried, yielding: needed(behind: tried.count), in: context)
    let agreement = ranks.agreement()
    if let agreement {
      tried = tried.prefix(agreement)
    } else if context.depth == 0, tried.count == following.count {
      var declared = ONNXBranchTrial(variants, giving: output, tried, yielding: results, in: context)
      let fitting = declared.fitting(context.declaredRanks).map { variants[$0] }
      if !fitting.isEmpty, fitting.count < variants.count {
        return try context.choice(squeeze, among: fitting) + following
      }
    }

    let branch = try context.branch(squeeze, on: open[0])
    var sides = try ONNXBranchTrial(branch, tried, yielding: needed(behind: tried.count), in: context)
    switch sides.verdict() {
    case .merging(let count, let names) where agreement != nil || tried.count == following.count:
      try take(following.prefix(count), into: branch, yielding: names, to: &context)
      return following.dropFirst(count)
    case .only(0, let reason): return try assume(side: 0, of: branch, because: reason, in: &context) + following
    case .apart where !sides.isBroken: throw Diagnostic("cond.rank", "the sides differ in rank")
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
    let (x, y, kept) = (squeeze.inputs[0], squeeze.outputs[0], try squeeze.ints(ONNXNode.keptAxes) ?? [])
    let dropped = unusedName("\(y).without_\(axis)")
    let yes = [
      squeeze.squeeze(x, dropped, ["axes": .ints([axis])]),
      squeeze.squeeze(dropped, unusedName("\(y).squeezed_\(axis)"), [ONNXNode.keptAxes: .ints(kept)]),
    ]
    let no = [squeeze.squeeze(x, unusedName("\(y).kept_\(axis)"), [ONNXNode.keptAxes: .ints(kept + [axis])])]
    return squeeze.branch(on: try condition(squeeze, [axis]), yes, no)
  }

  /// For each choice among the axes `open`, nodes for `squeeze` with the axes chosen and no other open one.
  fileprivate func variants(_ squeeze: ONNXNode, dropping open: [Int]) -> [[ONNXNode]] {
    (0..<1 << open.count).map { choice in
      let axes = open.indices.filter { choice >> $0 & 1 == 1 }.map { open[$0] }
      if axes.isEmpty { return [keeping(squeeze)] }
      let dropped = unusedName("\(squeeze.outputs[0]).without_\(axes.map(String.init).joined(separator: "_"))")
      let first = squeeze.squeeze(squeeze.inputs[0], dropped, ["axes": .ints(axes)])
      return [first, squeeze.squeeze(dropped, squeeze.outputs[0], keeping(squeeze).attributes)]
    }
  }

  /// Nodes for `squeeze` that run the first of `variants` whose axes are 1, or the last.
  fileprivate mutating func choice(_ squeeze: ONNXNode, among variants: [[ONNXNode]]) throws(Diagnostic) -> [ONNXNode] {
    var nodes = variants[variants.count - 1]
    for variant in variants.dropLast().reversed() {
      nodes = [squeeze.branch(on: try condition(squeeze, try variant[0].ints("axes") ?? []), variant, nodes)]
    }
    return nodes
  }

  /// The name of a truth value: whether every one of `axes` of what `squeeze` squeezes is 1.
  private mutating func condition(_ squeeze: ONNXNode, _ axes: [Int]) throws(Diagnostic) -> String {
    node = squeeze
    let x = try required(0)
    var product = constant(ints: [1])
    for axis in axes {
      product = try emit(Mul(), product, try emit(Shape(start: axis, end: axis + 1, dtype: .int64), x))
    }
    let name = unusedName("\(squeeze.outputs[0]).are_one_\(axes.map(String.init).joined(separator: "_"))")
    define(name, .tensor(try emit(Equal(), product, constant(ints: [1]))))
    return name
  }

  /// `squeeze` without the open axes.
  fileprivate func keeping(_ squeeze: ONNXNode) -> ONNXNode {
    let rank = squeeze.input(0).flatMap { values[$0]?.tensor }.map { fact($0).shape.count } ?? 0
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

  /// An `If` in the place of this `Squeeze`, on the truth value of that name.
  fileprivate func branch(on condition: String, _ yes: [ONNXNode], _ no: [ONNXNode]) -> ONNXNode {
    ONNXNode(
      name: name,
      opType: "If",
      inputs: [condition],
      outputs: outputs,
      attributes: [
        "then_branch": .graph(ONNXGraph(yes, reading: inputs[0])),
        "else_branch": .graph(ONNXGraph(no, reading: inputs[0])),
      ]
    )
  }
}

extension ONNXGraph {
  /// A body of `nodes`, the last of which gives its result, and that reads `x` and the conditions of its branches.
  fileprivate init(_ nodes: [ONNXNode], reading x: String) {
    self.init(nodes: nodes, outputs: [ONNXValueInfo(name: nodes[nodes.count - 1].outputs[0])])
    captures = ([x] + nodes.filter(\.isBranch).map { $0.inputs[0] }).sorted()
  }
}
