import MLCCore
import MLCGraph
import MLCOps

/// Arithmetic on values, as it is written down; `OperationBuilder.value` makes operations of it. Shapes broadcast, and
/// a number has the element type of what it is combined with. A part that stands in a formula twice is written twice;
/// passes merge equal operations.
package indirect enum Formula: Sendable {
  case value(ValueID)
  case number(Double)
  /// A scalar of the element type of what it is like.
  case scalar(Double, like: Formula)
  /// The one result of an operator, each argument one value.
  case result(any Operator, [Formula])

  package static func + (a: Formula, b: Formula) -> Formula { .result(Add(), [a, b]) }
  package static func - (a: Formula, b: Formula) -> Formula { .result(Sub(), [a, b]) }
  package static func * (a: Formula, b: Formula) -> Formula { .result(Mul(), [a, b]) }
  package static func / (a: Formula, b: Formula) -> Formula { .result(RealDiv(), [a, b]) }
  package static prefix func - (a: Formula) -> Formula { .result(Neg(), [a]) }
  package static func < (a: Formula, b: Formula) -> Formula { .result(Less(), [a, b]) }
  package static func <= (a: Formula, b: Formula) -> Formula { .result(LessEqual(), [a, b]) }
  package static func > (a: Formula, b: Formula) -> Formula { .result(Greater(), [a, b]) }
  package static func >= (a: Formula, b: Formula) -> Formula { .result(GreaterEqual(), [a, b]) }
  package static func && (a: Formula, b: Formula) -> Formula { .result(LogicalAnd(), [a, b]) }

  /// This where `condition` holds, else `other`.
  package func when(_ condition: Formula, else other: Formula = 0) -> Formula {
    .result(Select(), [condition, self, other])
  }
  package func applying(_ op: any Operator) -> Formula { .result(op, [self]) }
  package func equals(_ other: Formula) -> Formula { .result(Equal(), [self, other]) }
  package func power(_ exponent: Formula) -> Formula { .result(Pow(), [self, exponent]) }
  package var squared: Formula { .result(Square(), [self]) }
  package var root: Formula { .result(Sqrt(), [self]) }
  package var exponential: Formula { .result(Exp(), [self]) }
  /// `Σ` over `axes`, which stay with an extent of 1.
  package func sum(_ axes: [Int]) -> Formula { .result(ReduceSum(axes: axes, keepDims: true), [self]) }
  package func mean(_ axes: [Int]) -> Formula { .result(ReduceMean(axes: axes, keepDims: true), [self]) }
}

extension Formula: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
}

extension OperationBuilder {
  /// The value of `formula`, which is no number alone.
  package mutating func value(_ formula: Formula) throws(Diagnostic) -> ValueID {
    switch formula {
    case .value(let value): return value
    case .number: preconditionFailure("a number has no element type")
    case .scalar(let number, let other): return scalar(number, like: try value(other))
    case .result(let op, let arguments):
      var values = [ValueID?](repeating: nil, count: arguments.count)
      for (place, argument) in arguments.enumerated() {
        if case .number = argument { continue }
        values[place] = try value(argument)
      }
      // The last argument beside a number tells its type: the first of a selection is its condition.
      guard let partner = values.last(where: { $0 != nil }) ?? nil else {
        preconditionFailure("an operation on numbers alone")
      }
      var inputs: [[ValueID]] = []
      for (place, argument) in arguments.enumerated() {
        if case .number(let number) = argument {
          inputs.append([scalar(number, like: partner)])
        } else if let value = values[place] {
          inputs.append([value])
        }
      }
      return try append(op, inputs)
    }
  }
}
