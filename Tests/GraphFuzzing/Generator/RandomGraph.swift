import MLCCompiler
import MLCCore
import MLCGraph
import MLCOps

/// A graph drawn from a seed: contractions, each followed by what fusions like to move (epilogues), then by what makes
/// fewer, more or other elements of it (slices, gathers, splits, transposes, reshapes, concatenations, reductions…).
///
/// A draw that inference refuses is left out, so every graph has types.
package struct RandomGraph: OperationBuilder {
  var random: SeededGenerator
  var builder = Builder()
  let dtype: DType
  /// The sizes of each run; those of the first decide how operations are drawn.
  private(set) var sizes: [[String: Int]]
  private(set) var inputs: [[Tensor]]
  /// Every result, in order.
  private(set) var results: [ValueID] = []
  private let hasSpecials: Bool

  /// The most elements of any value.
  static let largest = 6000

  private init(_ random: SeededGenerator, _ dtype: DType, isOpen: Bool) {
    var random = random
    var sizes: [[String: Int]] = [[:]]
    if isOpen {
      sizes = (0..<3).map { run in ["n": run == 1 ? 1 : random.extent(), "m": run == 1 ? 1 : random.extent()] }
      if random.chance(0.3) { sizes[2]["n"] = 0 }
      let channels = random.pick([1, 3, 4, 8, 16, 17])
      for run in sizes.indices { sizes[run]["c"] = channels }
    }
    (self.dtype, self.sizes) = (dtype, sizes)
    hasSpecials = random.chance(0.06)
    inputs = sizes.map { _ in [] }
    self.random = random
  }

  /// Graph `number` of those that follow from `seed`.
  package static func draw(seed: UInt64, number: Int) -> GraphCase {
    var random = SeededGenerator(seed: seed, name: "graph \(number)")
    let label = "graph \(number) of seed \(seed)"
    if random.chance(0.03) { return nested(&random, depth: 1 + random.below(4), label) }
    let types: [DType] =
      [.float16, .float16, .bfloat16, .float64, .float64, .int32] + Array(repeating: .float32, count: 15)
    let dtype = random.pick(types)
    let isOpen = random.chance(0.25)
    var graph = RandomGraph(random, dtype, isOpen: isOpen)
    return graph.drawn(label)
  }

  /// A graph of doubles, `depth` times concatenated with a reversed or reflected piece of itself: its elements are
  /// spelled by expressions that grow with the depth.
  package static func nested(_ random: inout SeededGenerator, depth: Int, _ label: String) -> GraphCase {
    var graph = RandomGraph(random, .float64, isOpen: false)
    var x = graph.operand([Dim(3 + graph.random.below(6)), Dim(3 + graph.random.below(6))])
    for _ in 0..<depth { x = (try? graph.unfolded(x)) ?? x }
    return graph.finished(label, [x])
  }

  /// `item` with a few operations more behind its outputs.
  static func continued(_ item: GraphCase, _ random: inout SeededGenerator) -> GraphCase {
    var graph = RandomGraph(random, .float32, isOpen: false)
    graph.builder = Builder(item.function)
    (graph.sizes, graph.inputs) = (item.runs.map { item.sizes($0) }, item.runs)
    graph.results = item.function.outputs
    for _ in 0..<1 + graph.random.below(3) {
      switch graph.random.below(4) {
      case 0: graph.step { graph, x throws(Diagnostic) in try graph.epilogue(x) }
      case 1: graph.step { graph, x throws(Diagnostic) in try graph.reduced(x) }
      default: graph.step { graph, x throws(Diagnostic) in try graph.rearranged(x) }
      }
    }
    random = graph.random
    return graph.finished(item.label, [graph.results.last!] + item.function.outputs)
  }

  private mutating func unfolded(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let axis = random.below(2)
    let padded = try append(Pad(mode: "reflect"), [[x], [list([1, 1, 0, 2])], []])
    let turned = try append(Reverse([axis]), [[padded]])
    let piece = try slice(turned)
    return try append(Concat(axis: axis), [[try slice(x), piece, x].filter { fits($0, x, axis) }])
  }

  private func fits(_ value: ValueID, _ other: ValueID, _ axis: Int) -> Bool {
    fact(value).rank == fact(other).rank
      && fact(value).shape.indices.allSatisfy { $0 == axis || fact(value).shape[$0] == fact(other).shape[$0] }
  }

  private mutating func drawn(_ label: String) -> GraphCase {
    var current: ValueID?
    for _ in 0..<random.pick([1, 1, 2, 2, 3]) {
      let value = attempt { graph throws(Diagnostic) in try graph.contraction(current) }
      current = value ?? current ?? operand(shape())
      for _ in 0..<random.pick([0, 0, 0, 1, 1, 2, 3]) {
        if random.chance(0.4) { step { graph, x throws(Diagnostic) in try graph.composition(x) } }
        step { graph, x throws(Diagnostic) in try graph.epilogue(x) }
      }
      if random.chance(0.3) { step { graph, x throws(Diagnostic) in try graph.composition(x) } }
      for _ in 0..<random.pick([1, 1, 2, 2, 3, 4]) { step { graph, x throws(Diagnostic) in try graph.rearranged(x) } }
      if random.chance(0.4) { step { graph, x throws(Diagnostic) in try graph.reduced(x) } }
      current = results.last ?? current
    }
    let last = results.last ?? current ?? operand(shape())
    let others = results.dropLast().filter { _ in random.chance(0.15) }
    return finished(label, [last] + others)
  }

  /// Draws a continuation of the last result, or seldom of an earlier one; up to three times while inference refuses
  /// it.
  private mutating func step(_ body: (inout RandomGraph, ValueID) throws(Diagnostic) -> ValueID) {
    guard let last = results.last else { return }
    let x = random.chance(0.1) ? random.pick(results) : last
    _ = attempt { graph throws(Diagnostic) in try body(&graph, x) }
  }

  private mutating func attempt(_ body: (inout RandomGraph) throws(Diagnostic) -> ValueID) -> ValueID? {
    for _ in 0..<3 {
      var trial = self
      guard let value = try? body(&trial), trial.isSmall(value) else {
        random = trial.random
        continue
      }
      self = trial
      results.append(value)
      return value
    }
    return nil
  }

  private func isSmall(_ value: ValueID) -> Bool {
    fact(value).shape.allSatisfy { size($0) >= 0 }
      && sizes.allSatisfy { (fact(value).type.elementCount.evaluate($0) ?? 1) <= RandomGraph.largest }
  }

  private mutating func finished(_ label: String, _ values: [ValueID]) -> GraphCase {
    var seen: Set<ValueID> = []
    let outputs = values.filter { !builder.function.inputs.contains($0) && seen.insert($0).inserted }
    let named = outputs.isEmpty ? [(try? builder(Identity(), values[0])) ?? values[0]] : outputs
    let function = builder.finish(named.enumerated().map { ("y\($0.offset)", $0.element) })
    return GraphCase(label, function, inputs)
  }

  // MARK: Building

  package func fact(_ value: ValueID) -> Fact { builder.fact(value) }

  package mutating func append(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> ValueID {
    try results(op, inputs)[0]
  }

  package mutating func results(_ op: any Operator, _ inputs: [[ValueID]]) throws(Diagnostic) -> [ValueID] {
    try builder.append(op, inputs, origin: Location(node: "node\(builder.function.values.count)"))
  }

  package mutating func list(_ numbers: [Int]) -> ValueID { builder.constant(Tensor(.int32, [numbers.count], numbers)) }
  package mutating func constant(_ tensor: Tensor, _ suffix: String) -> ValueID {
    builder.constant(tensor, name: suffix)
  }

  /// What `dim` is in the first run.
  func size(_ dim: Dim) -> Int { dim.evaluate(sizes[0]) ?? 1 }
  func extents(_ x: ValueID) -> [Int] { fact(x).shape.map(size) }

  /// A value that nothing makes: an input, or a constant where its shape is known and chance wants it. Where no input
  /// may have the shape, it is a number.
  mutating func operand(_ shape: [Dim], _ type: DType? = nil, constant share: Double = 0) -> ValueID {
    let type = type ?? dtype
    let shape = isBindable(shape) ? shape : []
    if let known = TensorType(type, shape).staticShape, random.chance(share) {
      return builder.constant(random.tensor(type, known))
    }
    let value = builder.input("x\(builder.function.inputs.count)", TensorType(type, shape))
    for run in sizes.indices {
      let extents = shape.map { $0.evaluate(sizes[run])! }
      inputs[run].append(random.tensor(type, extents, hasSpecials: hasSpecials && type.isFloat))
    }
    return value
  }

  /// An input that is `tensor` in every run.
  mutating func input(_ tensor: Tensor) -> ValueID {
    for run in sizes.indices { inputs[run].append(tensor) }
    return builder.input("x\(builder.function.inputs.count)", tensor.type)
  }

  /// An extent, open where the graph has open sizes and chance wants it.
  mutating func dim() -> Dim {
    sizes.count > 1 && random.chance(0.5) ? .symbol(random.pick(["n", "m"])) : Dim(random.extent())
  }
  mutating func smallDim() -> Dim {
    sizes.count > 1 && random.chance(0.3) ? .symbol(random.pick(["n", "m"])) : Dim(random.smallExtent())
  }

  /// Whether an input may have this shape: its extents are numbers, or symbols that every run knows.
  func isBindable(_ shape: [Dim]) -> Bool {
    shape.allSatisfy { dim in
      dim.constant != nil || dim.symbol != nil && sizes.allSatisfy { (dim.evaluate($0) ?? -1) >= 0 }
    }
  }

  /// A shape of rank 1 to 4.
  mutating func shape() -> [Dim] {
    let rank = random.pick([1, 2, 2, 3, 3, 4])
    return (0..<rank).map { $0 < rank - 2 ? smallDim() : dim() }
  }
}
