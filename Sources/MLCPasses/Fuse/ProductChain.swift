import MLCCore
import MLCGraph
import MLCOps

/// A value as a product: factors that are not constant, and the number of all constants together.
struct ProductChain {
  var factors: [ValueID] = []
  var scale = 1.0
  private let slack: Double

  /// Takes products and quotients by numbers apart as far as only they read their operands; `square` and x² and x³
  /// count as repeated factors. `value` itself may have other readers.
  init(_ value: ValueID, _ graph: GraphEditor) {
    slack = graph.type(value).dtype.constantSlack
    take(value, graph, isRoot: true, limit: 8)
  }

  private mutating func take(_ value: ValueID, _ graph: GraphEditor, isRoot: Bool, limit: Int) {
    if let number = graph.number(value) {
      scale *= number
      return
    }
    guard isRoot || graph.uses(value) == 1, limit > 0, let operation = graph.producer(value) else {
      factors.append(value)
      return
    }
    switch operation.op {
    case is Mul:
      for input in operation.inputs.joined() { take(input, graph, isRoot: false, limit: limit - 1) }
    case is RealDiv:
      guard let (x, y) = graph.pair(operation), let number = graph.number(y) else { return factors.append(value) }
      take(x, graph, isRoot: false, limit: limit - 1)
      scale /= number
    case is Square: factors += [operation.inputs[0][0], operation.inputs[0][0]]
    case is Pow:
      guard let (x, y) = graph.pair(operation), let power = graph.number(y), power == 2 || power == 3 else {
        return factors.append(value)
      }
      factors += [ValueID](repeating: x, count: Int(power))
    default: factors.append(value)
    }
  }

  /// Whether the constants are `number`, within rounding of the type.
  func isScale(_ number: Double) -> Bool { abs(scale - number) <= abs(number) * slack }
  /// Whether this is `number · x` for a single factor.
  func isMultiple(of x: ValueID, by number: Double) -> Bool { factors == [x] && isScale(number) }

  /// The factor beside `x`, when there are two.
  func other(than x: ValueID) -> ValueID? {
    guard factors.count == 2, let place = factors.firstIndex(of: x) else { return nil }
    return factors[1 - place]
  }
}
