import MLCCore
import MLCGraph

/// Finds the first operation at which a compiled model departs from the reference.
///
/// A function whose outputs are a few intermediate values spread over the graph is compiled and compared; the search
/// goes on between the last value that agrees and the first that does not, or, where all agree, across the steepest
/// fall of the signal-to-noise ratio. Memory holds only the values of one round.
package struct LayerSearch {
  /// One intermediate value, measured.
  package struct Layer: Sendable {
    /// Where the operation stands among the outermost ones.
    package var position: Int
    package var value: String, op: String
    /// The user's node.
    package var node: String?
    /// What the compiled model stores the value in.
    package var dtype: DType
    package var comparison: Comparison
  }

  package let function: Function
  package let inputs: [Tensor]
  /// Whether a value of the function can be measured.
  package var isCandidate: (Value) -> Bool = { _ in true }
  /// Values measured in a round.
  package var width = 12
  package var tolerance: @Sendable (DType) -> Tolerance
  /// Compiles a function and says how to run it.
  package var compile: (Function) throws(Diagnostic) -> Executor
  package var progress: (String, Double) -> Void = { _, _ in }

  package init(
    _ function: Function,
    inputs: [Tensor],
    tolerance: @escaping @Sendable (DType) -> Tolerance,
    compile: @escaping (Function) throws(Diagnostic) -> Executor
  ) {
    (self.function, self.inputs, self.tolerance, self.compile) = (function, inputs, tolerance, compile)
  }

  /// Every value that was measured, in the graph's order, and the one at which the error jumps (see `Layer.jumps`);
  /// `nil` where it jumps nowhere.
  package func run() throws(Diagnostic) -> (layers: [Layer], culprit: Layer?) {
    let candidates = self.candidates
    var measured: [Int: Layer] = [:]
    var (low, high) = (-1, candidates.count - 1)
    var round = 0
    while high - low > 1 || (low == -1 && high >= 0 && measured[high] == nil) {
      let places = LayerSearch.spread(low, high, width).filter { measured[$0] == nil }
      if places.isEmpty { break }
      round += 1
      progress("round \(round): \(places.count) values", min(0.95, 0.3 * Double(round)))
      for (place, layer) in try measure(places, candidates) { measured[place] = layer }
      (low, high) = LayerSearch.interval(low, high, measured)
    }
    let operands = high >= 0 ? operands(of: high, candidates) : []
    let missing = operands.filter { measured[$0] == nil }
    if !missing.isEmpty, measured[high]?.comparison.passed == true {
      progress("\(missing.count) operands", 0.95)
      for (place, layer) in try measure(missing, candidates) { measured[place] = layer }
    }
    let layers = measured.sorted { $0.key < $1.key }.map { $0.value }
    return (layers, measured[high].flatMap { $0.jumps(over: operands.compactMap { measured[$0] }) ? $0 : nil })
  }

  /// Float values that the outermost block computes.
  private var candidates: [(position: Int, value: ValueID)] {
    var found: [(position: Int, value: ValueID)] = []
    for (position, operation) in function.body.operations.enumerated() {
      guard let value = operation.outputs.first, !operation.inputs.isEmpty else { continue }
      let fact = function.fact(value)
      if fact.dtype.isFloat, !fact.isConstant, isCandidate(function[value]) { found.append((position, value)) }
    }
    return found
  }

  /// The candidates that the operation of the candidate `place` reads the results of.
  private func operands(of place: Int, _ candidates: [(position: Int, value: ValueID)]) -> [Int] {
    let operation = function.body.operations[candidates[place].position]
    let read = Set(operation.inputs.joined() + operation.blocks.flatMap { $0.uses })
    return candidates.indices.prefix(place).filter { earlier in
      !read.isDisjoint(with: function.body.operations[candidates[earlier].position].outputs)
    }
  }

  private func measure(
    _ places: [Int],
    _ candidates: [(position: Int, value: ValueID)]
  ) throws(Diagnostic) -> [(Int, Layer)] {
    let part = function.truncated(to: places.map { candidates[$0].value })
    let expected = try Interpreter(part).run(inputs)
    let actual = try compile(part).run(inputs)
    var layers: [(Int, Layer)] = []
    for (index, place) in places.enumerated() {
      let operation = function.body.operations[candidates[place].position]
      let comparison = try Comparison(
        expected: expected[index],
        actual: actual[index],
        tolerance: tolerance(actual[index].dtype)
      )
      let layer = Layer(
        position: candidates[place].position,
        value: function[candidates[place].value].name,
        op: operation.origin.op ?? operation.name,
        node: operation.origin.node,
        dtype: actual[index].dtype,
        comparison: comparison
      )
      layers.append((place, layer))
    }
    return layers
  }

  /// Up to `width` places in `low + 1 ... high`, evenly spread, `high` among them.
  static func spread(_ low: Int, _ high: Int, _ width: Int) -> [Int] {
    let count = min(width, high - low)
    guard count > 0 else { return [] }
    return (1...count).map { low + (high - low) * $0 / count }
  }

  /// The neighbours among the measured places between which the error jumps.
  static func interval(_ low: Int, _ high: Int, _ measured: [Int: Layer]) -> (Int, Int) {
    let places = measured.keys.filter { low <= $0 && $0 <= high }.sorted()
    if let bad = places.first(where: { !measured[$0]!.comparison.passed }) {
      return (places.last { $0 < bad } ?? low, bad)
    }
    // Nothing is out of tolerance: across the steepest fall, an exact value counting as one that was rounded once.
    func ratio(_ place: Int) -> Double {
      measured[place].map { min($0.rounded, $0.comparison.signalToNoise) } ?? .infinity
    }
    var steepest = (low, places.first ?? high)
    let before = low >= 0 ? ratio(low) : measured[steepest.1]?.rounded ?? 0
    var fall = before - ratio(steepest.1)
    for (a, b) in zip(places, places.dropFirst()) where ratio(a) - ratio(b) > fall {
      (steepest, fall) = ((a, b), ratio(a) - ratio(b))
    }
    return steepest
  }
}
