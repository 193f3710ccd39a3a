import MLCCore
import MLCGraph

/// What the shapes of a function become at some sizes, found by inference alone.
///
/// Sizes that are not given stay open.
struct ShapeTrial {
  /// Bytes that inputs and results take at once, as far as their sizes are known.
  private(set) var bytes = 0
  private var function: Function
  private let sizes: [String: Dim]
  private let forgivesBlocks: Bool
  private var readers: [ValueID: Int] = [:]
  private var isChanged: [Bool]
  private var held: [ValueID: Int] = [:]
  private var total = 0

  /// Throws what inference throws, located at the node, and `size.none` for a tensor that these sizes leave without
  /// elements. With `forgivesBlocks` operations in nested blocks may be refused: they may never run.
  init(_ source: Function, sizes: [String: Int], forgivesBlocks: Bool) throws(Diagnostic) {
    function = source
    self.forgivesBlocks = forgivesBlocks
    self.sizes = sizes.mapValues { Dim($0) }
    isChanged = Array(repeating: false, count: source.values.count)
    for value in source.body.uses { readers[value, default: 0] += 1 }
    for input in source.inputs { try take(input, Fact(source.type(input).substituting(self.sizes)), .init()) }
    try walk(source.body, isNested: false)
  }

  private mutating func walk(_ block: Block, isNested: Bool) throws(Diagnostic) {
    for operation in block.operations {
      for nested in operation.blocks {
        for input in nested.inputs { substitute(input) }
        try walk(nested, isNested: true)
      }
      if !operation.blocks.isEmpty || operation.inputs.joined().contains(where: { isChanged[$0.index] }) {
        do { try infer(operation) } catch {
          if !isNested || !forgivesBlocks { throw error }
          for output in operation.outputs { substitute(output) }
        }
      }
      for input in operation.inputs.joined() { release(input) }
    }
  }

  private mutating func infer(_ operation: Operation) throws(Diagnostic) {
    let location = Location(op: operation.name).within(operation.origin).within(Location(file: function.file))
    let label = operation.outputs.first.map { function[$0].name } ?? operation.name
    let facts: [Fact]
    do {
      facts = try MLCGraph.infer(operation.op, operation.inputs, blocks: operation.blocks, label: label, in: function)
    } catch {
      var located = error
      located.location = error.location.within(location)
      throw located
    }
    for (output, fact) in zip(operation.outputs, facts) { try take(output, fact, location) }
  }

  private mutating func take(_ id: ValueID, _ fact: Fact, _ location: Location) throws(Diagnostic) {
    let recorded = function.type(id)
    for (new, old) in zip(fact.shape, recorded.shape) where old.constant == nil {
      guard let extent = new.constant, extent <= 0 else { continue }
      throw Diagnostic("size.none", "'\(function[id].name)' would be \(fact.type)", at: location)
    }
    if fact.shape != recorded.shape || fact.elements != function.fact(id).elements
      || fact.ratios != function.fact(id).ratios
    {
      isChanged[id.index] = true
    }
    held[id] = size(fact.type)
    total += size(fact.type)
    bytes = max(bytes, total)
    function.values[id.index].fact = fact
  }

  private mutating func substitute(_ id: ValueID) {
    let fact = function.fact(id)
    if fact.isConstant { return }
    function.values[id.index].fact = fact.substituting(sizes)
    isChanged[id.index] = true
  }

  private mutating func release(_ id: ValueID) {
    guard let left = readers[id] else { return }
    readers[id] = left - 1
    if left == 1 { total -= held.removeValue(forKey: id) ?? 0 }
  }

  /// 0 while a size is open; a petabyte at most, so that sums stay numbers.
  private func size(_ type: TensorType) -> Int {
    guard let shape = type.staticShape else { return 0 }
    return min(1 << 50, shape.checkedProduct.flatMap { type.dtype.byteCount($0) } ?? .max)
  }
}
