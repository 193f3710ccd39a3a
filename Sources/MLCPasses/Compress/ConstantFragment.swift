import MLCCore
import MLCGraph
import MLCOps

/// The operations that stand in for a weight, in order; the last one's first result is the weight.
struct ConstantFragment {
  enum Argument {
    /// A constant, and what its name ends in.
    case tensor(Tensor, String)
    /// A result of an earlier operation.
    case result(Int, output: Int)
  }
  struct Step {
    var op: any ConstantExpression
    var arguments: [[Argument]]
  }
  private(set) var steps: [Step] = []

  /// Appends an operation and gives its number.
  @discardableResult
  mutating func append(_ op: any ConstantExpression, _ arguments: Argument?...) -> Int {
    steps.append(Step(op: op, arguments: arguments.map { $0.map { [$0] } ?? [] }))
    return steps.count - 1
  }

  /// Bytes of all constants.
  var byteCount: Int {
    steps.flatMap { $0.arguments.joined() }.reduce(0) { sum, argument in
      if case .tensor(let tensor, _) = argument { return sum + tensor.byteCount }
      return sum
    }
  }

  /// What the weight becomes.
  func expanded() throws(Diagnostic) -> Tensor {
    var results: [[Tensor]] = []
    for step in steps {
      let arguments = step.arguments.map { port in
        port.map { argument in
          switch argument {
          case .tensor(let tensor, _): tensor
          case .result(let step, let output): results[step][output]
          }
        }
      }
      results.append(try step.op.evaluate(Operands(type(of: step.op).portNames, arguments)))
    }
    return results[results.count - 1][0]
  }
}
