import MLCCore
import MLCGraph
import MLCOps

/// `(numbers − zero) · scale`, floats of bytes, or `numbers − zero` in int32.
struct DequantizedOperand {
  /// int8 or uint8.
  var numbers: ValueID
  /// The zero point where it is known, else `openZero` is it, a scalar of the type of `numbers`.
  var zero: Int
  var openZero: ValueID?
  var scale: Double

  /// `value` as such, when it is known to be; a zero point that is no number of its type makes it none.
  init?(_ value: ValueID, _ graph: GraphEditor) {
    (numbers, zero, openZero, scale) = (value, 0, nil, 1)
    if let (operation, _) = graph.producer(numbers, as: Mul.self) {
      guard let (x, c) = graph.operands(operation), let number = graph.number(c), graph.type(x) == graph.type(value),
        number.isFinite, number > 0
      else { return nil }
      (numbers, scale) = (x, number)
    }
    if let (x, number) = DequantizedOperand.shifted(numbers, graph) {
      guard number == number.rounded(), abs(number) < 512 else { return nil }
      (numbers, zero) = (x, Int(number))
    } else if let (operation, _) = graph.producer(numbers, as: Sub.self), let (x, zero) = graph.pair(operation),
      let open = graph.argument(of: zero, through: Cast.self), graph.type(open).rank == 0
    {
      (numbers, openZero) = (x, open)
    }
    guard let (cast, _) = graph.producer(numbers, as: Cast.self), let source = cast.inputs[0].first,
      [.int8, .uint8].contains(graph.type(source).dtype),
      [.float32, .float64, .int32].contains(graph.type(value).dtype),
      openZero.map({ graph.type($0).dtype == graph.type(source).dtype }) ?? true
    else { return nil }
    numbers = source
    countFromZero(graph)
    let bounds = graph.type(numbers).dtype.isSigned ? -128...127 : 0...255
    guard bounds.contains(zero) else { return nil }
  }

  /// The zero point as a value.
  func zeroPoint(_ graph: inout GraphEditor) -> ValueID {
    openZero ?? graph.emitConstant(.scalar(graph.type(numbers).dtype, zero), name: "zero_point")
  }

  /// Reads the unsigned bytes that signed ones are made of (`CountSignedBytes`).
  private mutating func countFromZero(_ graph: GraphEditor) {
    guard openZero == nil, graph.type(numbers).dtype == .int8,
      let difference = graph.argument(of: numbers, through: Cast.self),
      let (operation, _) = graph.producer(difference, as: Sub.self), let (wide, c) = graph.operands(operation),
      c == operation.inputs[1].first, graph.number(c) == 128,
      let bytes = graph.argument(of: wide, through: Cast.self), graph.type(bytes).dtype == .uint8,
      graph.type(difference).dtype == .int32, (-128...127).contains(zero)
    else { return }
    (numbers, zero) = (bytes, zero + 128)
  }

  /// `value` as x − number.
  private static func shifted(_ value: ValueID, _ graph: GraphEditor) -> (ValueID, Double)? {
    if let (x, number) = graph.sum(value) { return (x, -number) }
    guard let (operation, _) = graph.producer(value, as: Sub.self), let (x, c) = graph.operands(operation),
      c == operation.inputs[1].first, let number = graph.number(c), graph.type(x) == graph.type(value)
    else { return nil }
    return (x, number)
  }
}
