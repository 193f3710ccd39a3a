import MLCCore

/// `If` nodes, and what stands for them.
extension ONNXNode {
  var isBranch: Bool { opType == "If" && domain.isEmpty }

  /// The graphs that run when the condition holds, and when not. Throws `onnx.if`.
  func bodies() throws(Diagnostic) -> [ONNXGraph] {
    guard let yes = try graph("then_branch"), let no = try graph("else_branch") else {
      throw Diagnostic("onnx.if", "a branch is missing", at: location)
    }
    for body in [yes, no] where body.outputs.count < outputs.count {
      throw Diagnostic("onnx.if", "a branch gives \(body.outputs.count) values of \(outputs.count)", at: location)
    }
    return [yes, no]
  }

  /// No file has nodes of this domain: the importer refuses what has no rule.
  private static let ownDomain = "mlc-importer"

  /// Whether this stands for a value under the condition that an `If` took one side.
  var isAssumption: Bool { domain == Self.ownDomain }

  /// Nodes that name the results of `body` as those of this node; with `holds` only where the condition is that.
  func bindings(to body: ONNXGraph, assuming holds: Bool? = nil) throws(Diagnostic) -> [ONNXNode] {
    zip(body.outputs, outputs).filter { !$1.isEmpty }.map { result, output in
      guard let holds else {
        return ONNXNode(name: name, opType: "Identity", inputs: [result.name], outputs: [output])
      }
      return ONNXNode(
        name: name,
        opType: "If",
        domain: Self.ownDomain,
        inputs: [result.name, inputs[0]],
        outputs: [output],
        attributes: ["holds": .int(holds ? 1 : 0)]
      )
    }
  }

  /// The same `If`, each side of which runs `nodes` behind its own and gives `names`.
  func takingIn(_ nodes: ArraySlice<ONNXNode>, yielding names: [String]) throws(Diagnostic) -> ONNXNode {
    var node = self
    node.outputs = names
    for (side, body) in zip(["then_branch", "else_branch"], try bodies()) {
      var graph = body
      graph.nodes += try bindings(to: body) + nodes
      graph.outputs = names.map { ONNXValueInfo(name: $0) }
      let own = graph.ownNames
      graph.captures = Set(graph.nodes.flatMap { $0.reads } + names).subtracting(own).sorted()
      node.attributes[side] = .graph(graph)
    }
    return node
  }
}

extension ONNXGraph {
  /// Every name that it defines.
  var ownNames: Set<String> {
    Set(inputs.map(\.name) + initializerNames + nodes.flatMap(\.outputs).filter { !$0.isEmpty })
  }
}

/// The nodes behind an `If`: those that depend on it and the others, each in order.
struct ONNXContinuation {
  var dependents: ArraySlice<ONNXNode> = []
  var others: ArraySlice<ONNXNode> = []

  init(of branch: ONNXNode, in following: ArraySlice<ONNXNode>) {
    var reached = Set(branch.outputs.filter { !$0.isEmpty })
    for node in following {
      if node.reads.contains(where: { reached.contains($0) }) {
        reached.formUnion(node.outputs.filter { !$0.isEmpty })
        dependents.append(node)
      } else {
        others.append(node)
      }
    }
  }
}
