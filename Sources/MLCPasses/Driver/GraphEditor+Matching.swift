import MLCCore
import MLCGraph
import MLCOps

// Questions that several passes ask.

extension GraphEditor {
  /// The number that every element of `value` is.
  func number(_ value: ValueID) -> Double? { constant(value)?.uniformNumber }

  /// The operands of a commutative operation, the constant second; `nil` unless exactly one is constant.
  func operands(_ operation: Operation) -> (value: ValueID, constant: ValueID)? {
    guard operation.inputs.count == 2, let x = operation.inputs[0].first, let y = operation.inputs[1].first else {
      return nil
    }
    switch (constant(x), constant(y)) {
    case (nil, _?): return (x, y)
    case (_?, nil): return (y, x)
    default: return nil
    }
  }

  /// Both operands of a binary operation.
  func pair(_ operation: Operation) -> (x: ValueID, y: ValueID)? {
    guard operation.inputs.count == 2, let x = operation.inputs[0].first, let y = operation.inputs[1].first else {
      return nil
    }
    return (x, y)
  }

  /// What `value` is made of by an `Op` of one argument.
  func argument<Op: Operator>(of value: ValueID, through op: Op.Type) -> ValueID? {
    producer(value, as: op)?.operation.inputs.first?.first
  }

  /// `value` as a sum with a constant number.
  func sum(_ value: ValueID) -> (value: ValueID, number: Double)? {
    guard let (operation, _) = producer(value, as: Add.self), let (x, c) = operands(operation), let n = number(c),
      type(x) == type(value)
    else { return nil }
    return (x, n)
  }

  /// A scalar of the element type of `value`.
  mutating func emitScalar(_ number: Double, like value: ValueID) -> ValueID {
    emitConstant(.scalar(type(value).dtype, number), name: "scalar")
  }
}

extension Tensor {
  /// A matrix with rows and columns exchanged.
  var transposedMatrix: Tensor {
    func swapped<T: BitwiseCopyable>(_: T.Type) -> Tensor {
      let (rows, columns) = (shape[0], shape[1])
      return Tensor(dtype, [columns, rows]) { (out: UnsafeMutableBufferPointer<T>) in
        withElements(of: T.self) { source in
          for row in 0..<rows {
            for column in 0..<columns { out[column * rows + row] = source[row * columns + column] }
          }
        }
      }
    }
    switch dtype.bitWidth {
    case 64: return swapped(UInt64.self)
    case 32: return swapped(UInt32.self)
    case 16: return swapped(UInt16.self)
    case 8: return swapped(UInt8.self)
    default:
      let (codes, rows, columns) = (self.codes, shape[0], shape[1])
      let turned = (0..<columns).flatMap { column in (0..<rows).map { codes[$0 * columns + column] } }
      return Tensor(dtype, [columns, rows], codes: turned)
    }
  }

  /// The shape without leading extents of 1.
  var trimmedShape: [Int] { Array(shape.drop { $0 == 1 }) }
}

extension DType {
  /// How far a constant of this type, or a product of a few, may lie from the number that it stands for, relatively:
  /// some units in the last place, of float32 for the wider types, since exporters compute with it.
  var constantSlack: Double { bitWidth == 16 ? 2e-3 : 2e-6 }
}
