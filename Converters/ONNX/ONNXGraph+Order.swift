import MLCCore

extension ONNXGraph {
  /// Sorts nodes so that each follows the nodes it reads from, keeping file order where that already holds, and sets
  /// `captures`.
  ///
  /// Throws `onnx.duplicate-value` for a name defined twice, `onnx.cycle`, and, unless this is a body, which may refer
  /// to names around it, `onnx.undefined-value`.
  mutating func order(isBody: Bool) throws(Diagnostic) {
    let producers = try definitions()
    var outer: Set<String> = []
    var dependencies: [[Int]] = []
    dependencies.reserveCapacity(nodes.count)
    for node in nodes {
      var needed: [Int] = []
      for name in node.reads {
        if let producer = producers[name] {
          if let producer { needed.append(producer) }
        } else if isBody {
          outer.insert(name)
        } else {
          throw Diagnostic("onnx.undefined-value", "'\(name)' is read, but nothing defines it", at: node.location)
        }
      }
      dependencies.append(needed)
    }
    for output in outputs where producers[output.name] == nil {
      guard isBody else {
        throw Diagnostic("onnx.undefined-value", "output '\(output.name)' is not defined by any node")
      }
      outer.insert(output.name)
    }
    let order = try topologicalOrder(dependencies)
    if !order.elementsEqual(nodes.indices) { nodes = order.map { nodes[$0] } }
    captures = outer.sorted()
  }

  /// The node that defines each name; a name maps to `.some(nil)` when an input or initializer does.
  private func definitions() throws(Diagnostic) -> [String: Int?] {
    var producers: [String: Int?] = [:]
    producers.reserveCapacity(nodes.count + inputs.count + initializers.count)
    for input in inputs {
      guard producers.updateValue(nil, forKey: input.name) == nil else {
        throw Diagnostic("onnx.duplicate-value", "input '\(input.name)' is declared twice")
      }
    }
    for name in initializerNames { producers.updateValue(nil, forKey: name) }
    for (index, node) in nodes.enumerated() {
      for output in node.outputs where !output.isEmpty {
        guard producers.updateValue(index, forKey: output) == nil else {
          throw Diagnostic("onnx.duplicate-value", "'\(output)' is defined more than once", at: node.location)
        }
      }
    }
    return producers
  }

  /// Depth first, in file order, with an explicit stack: chains may be as long as the graph.
  private func topologicalOrder(_ dependencies: [[Int]]) throws(Diagnostic) -> [Int] {
    enum Mark { case new, open, done }
    var marks = [Mark](repeating: .new, count: nodes.count)
    var order: [Int] = []
    order.reserveCapacity(nodes.count)
    for root in nodes.indices where marks[root] == .new {
      var path: [(node: Int, next: Int)] = [(root, 0)]
      marks[root] = .open
      while let (node, next) = path.last {
        guard next < dependencies[node].count else {
          marks[node] = .done
          order.append(node)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let needed = dependencies[node][next]
        switch marks[needed] {
        case .done: break
        case .open: throw cycle(path.map { $0.node }, from: needed)
        case .new:
          marks[needed] = .open
          path.append((needed, 0))
        }
      }
    }
    return order
  }

  private func cycle(_ path: [Int], from start: Int) -> Diagnostic {
    // The path leads from readers to what they read; data flows the other way.
    var circle = Array(path[(path.firstIndex(of: start) ?? 0)...].reversed())
    let first = circle.indices.min { circle[$0] < circle[$1] } ?? 0
    circle = Array(circle[first...] + circle[..<first])
    var names = circle.map { nodes[$0].name }
    if names.count > 8 { names = names.prefix(4) + ["…"] + names.suffix(3) }
    return Diagnostic(
      "onnx.cycle",
      "nodes feed each other in a circle: \((names + [names[0]]).joined(separator: " → "))",
      at: nodes[circle[0]].location
    )
  }
}

extension ONNXNode {
  /// Every name it reads: operands, and what its bodies take from the graphs around them.
  var reads: [String] {
    inputs.filter { !$0.isEmpty } + attributes.values.flatMap { $0.graphs.flatMap { $0.captures } }
  }
}
