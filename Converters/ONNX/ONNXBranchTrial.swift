import MLCCore
import MLCGraph

/// Both sides of an `If` and the nodes that depend on it, converted step by step to see where the sides come to give
/// the same again. Nothing of it is kept.
struct ONNXBranchTrial {
  enum Verdict {
    /// After so many nodes the values that are still read, of these names, have equal types and ranks on both sides.
    case merging(Int, [String])
    /// The other side cannot run.
    case only(Int, because: Diagnostic)
    /// A side has what mlc does not support.
    case refused(Diagnostic)
    case apart
  }

  private var sides: [Side] = []
  private let nodes: ArraySlice<ONNXNode>
  /// Where each name is read last; results of the graph are read behind all nodes.
  private var lastUse: [String: Int] = [:]
  /// Names that are defined so far and still read.
  private var live: [String]

  /// Throws `onnx.if`. `nodes` are those that depend on `branch`, in order; `results` what the graph gives.
  init(
    _ branch: ONNXNode,
    _ nodes: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    in context: ONNXContext
  ) throws(Diagnostic) {
    self.init(branch.outputs, nodes, yielding: results)
    for body in try branch.bodies() {
      var side = Side(context)
      side.add(body)
      for node in try branch.bindings(to: body) { side.add(node) }
      sides.append(side)
    }
  }

  /// Sides that are `variants`, each of them nodes that give `output`.
  init(
    _ variants: [[ONNXNode]],
    giving output: String,
    _ nodes: ArraySlice<ONNXNode>,
    yielding results: Set<String>,
    in context: ONNXContext
  ) {
    self.init([output], nodes, yielding: results)
    for variant in variants {
      var side = Side(context)
      for node in variant { side.add(node) }
      sides.append(side)
    }
  }

  private init(_ outputs: [String], _ nodes: ArraySlice<ONNXNode>, yielding results: Set<String>) {
    self.nodes = nodes
    live = outputs.filter { !$0.isEmpty }
    for (place, node) in nodes.enumerated() {
      for name in node.reads { lastUse[name] = place }
    }
    for name in results { lastUse[name] = nodes.count }
  }

  /// After how many nodes all sides, however many, give the same again; `nil` where one cannot run or they stay apart.
  mutating func agreement() -> Int? {
    for place in 0...nodes.count {
      live.removeAll { lastUse[$0, default: -1] < place }
      if sides.contains(where: { $0.failure != nil }) { return nil }
      if agree { return place }
      guard place < nodes.count else { break }
      let node = nodes[nodes.startIndex + place]
      for side in sides.indices { sides[side].add(node) }
      live += node.outputs.filter { !$0.isEmpty }
    }
    return nil
  }

  /// The sides that run and whose values have the ranks `declared` by name, if any of those that are still read behind
  /// all nodes is among them.
  mutating func fitting(_ declared: [String: Int]) -> [Int] {
    for node in nodes {
      for side in sides.indices { sides[side].add(node) }
    }
    let names = (live + nodes.flatMap(\.outputs)).filter { declared[$0] != nil && lastUse[$0] == nodes.count }
    if names.isEmpty { return [] }
    return sides.indices.filter { side in
      sides[side].failure == nil && names.allSatisfy { sides[side].type($0)?.rank == declared[$0] }
    }
  }

  /// Whether no side can run.
  var isBroken: Bool { sides.allSatisfy { $0.failure != nil } }

  mutating func verdict() -> Verdict {
    for (place, node) in nodes.enumerated() {
      live.removeAll { lastUse[$0, default: -1] < place }
      if let early = early(place) { return early }
      for side in sides.indices { sides[side].add(node) }
      live += node.outputs.filter { !$0.isEmpty }
    }
    live.removeAll { lastUse[$0, default: -1] < nodes.count }
    if let last = early(nodes.count) { return last }
    // A branch inside, whose sides are apart too, may come to the same with what follows it.
    return sides.contains { !$0.unsettled.isEmpty } ? .merging(nodes.count, live) : .apart
  }

  /// What can be said after `count` nodes.
  private func early(_ count: Int) -> Verdict? {
    if let reason = sides.compactMap({ $0.failure }).first(where: { !$0.meansTypes }) { return .refused(reason) }
    switch (sides[0].failure, sides[1].failure) {
    case (.some, .some): return .apart
    case (let reason?, nil): return .only(1, because: reason)
    case (nil, let reason?): return .only(0, because: reason)
    case (nil, nil): break
    }
    return agree ? .merging(count, live) : nil
  }

  /// Whether the values that are still read are of one type and rank on all sides.
  private var agree: Bool {
    live.allSatisfy { name in
      guard let first = sides[0].type(name) else { return false }
      return sides.dropFirst().allSatisfy { side in
        side.type(name).map { $0.dtype == first.dtype && $0.rank == first.rank } ?? false
      }
    }
  }
}

/// One side of a trial.
private struct Side {
  private var context: ONNXContext
  /// Names that follow from a branch inside whose own sides are apart.
  private(set) var unsettled: Set<String> = []
  /// What the first node threw that cannot run.
  private(set) var failure: Diagnostic?

  init(_ context: ONNXContext) { self.context = context }

  func type(_ name: String) -> TensorType? {
    unsettled.contains(name) ? nil : context.values[name]?.tensor.map { context.fact($0).type }
  }

  mutating func add(_ body: ONNXGraph) {
    if body.ownNames.contains(where: { context.values[$0] != nil }) {
      failure = Diagnostic("onnx.if", "a name in a branch has another meaning outside", kind: .unsupported)
      return
    }
    context.importer.addInitializers(body, to: &context)
    context.depth += 1
    for node in body.nodes { add(node) }
    context.depth -= 1
  }

  mutating func add(_ node: ONNXNode) {
    if failure != nil { return }
    if node.reads.contains(where: { unsettled.contains($0) }) {
      unsettled.formUnion(node.outputs)
      return
    }
    do throws(Diagnostic) {
      let importer = context.importer
      var branch = node
      if !node.isBranch {
        guard let axis = try context.openAxes(node).first else { return try importer.add(node, to: &context) }
        branch = try context.branch(node, on: axis)
      }
      if let body = try importer.knownBody(of: branch, in: context) {
        add(body)
        for binding in try branch.bindings(to: body) { add(binding) }
        return
      }
      var whole = context
      do throws(Diagnostic) {
        try importer.add(branch, to: &whole)
        context = whole
      } catch {
        guard error.meansTypes else { throw error }
        unsettled.formUnion(node.outputs)
      }
    } catch { failure = error }
  }
}
