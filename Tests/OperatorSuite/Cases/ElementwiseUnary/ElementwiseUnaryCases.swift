import MLCCore
import MLCGraph
import MLCOps

extension OperatorCase {
  static let elementwiseUnaryCases: [OperatorCase] = [
    map(
      "tanh.values",
      Tanh(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .infinity, -.infinity],
      [-0.96402758, -0.46211716, 0.0, 0.63514895, 0.99505475, 1.0, -1.0]
    ),
    map(
      "exp.values",
      Exp(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, -.infinity, .infinity],
      [0.13533528, 0.60653066, 1.0, 2.11700002, 20.08553692, 0.0, .infinity]
    ),
    map("exp2.values", Exp2(), [-2.0, -0.5, 0.0, 0.75, 3.0], [0.25, 0.70710678, 1.0, 1.68179283, 8.0]),
    map(
      "log.values",
      Log(),
      [0.5, 1.0, 3.0, 0.0, -1.0, .infinity],
      [-0.69314718, 0.0, 1.09861229, -.infinity, .nan, .infinity]
    ),
    map("sqrt.values", Sqrt(), [0.0, 0.25, 2.0, -1.0, .infinity], [0.0, 0.5, 1.41421356, .nan, .infinity]),
    map(
      "rsqrt.values",
      Rsqrt(),
      [0.25, 2.0, 0.0, -0.0, -1.0, .infinity],
      [2.0, 0.70710678, .infinity, -.infinity, .nan, 0.0]
    ),
    map("rsqrt.epsilon", Rsqrt(epsilon: 0.25), [0.0, -0.0, 2.0], [2.0, 2.0, 0.66666667]),
    map("inverse.values", Inverse(), [-2.0, 0.5, 0.0, -0.0, -.infinity], [-0.5, 2.0, .infinity, -.infinity, -0.0]),
    map("abs.values", Abs(), [-2.0, -0.5, 0.0, 0.75, 3.0, -.infinity], [2.0, 0.5, 0.0, 0.75, 3.0, .infinity]),
    map("neg.values", Neg(), [-2.0, -0.5, 0.0, 0.75, 3.0, .infinity], [2.0, 0.5, -0.0, -0.75, -3.0, -.infinity]),
    map("sign.values", Sign(), [-2.0, -0.5, 0.0, 0.75, 3.0, .nan], [-1.0, -1.0, 0.0, 1.0, 1.0, .nan]),
    map("ceil.values", Ceil(), [-2.0, -0.5, 0.0, 0.75, 3.0, -.infinity], [-2.0, 0.0, 0.0, 1.0, 3.0, -.infinity]),
    map("floor.values", Floor(), [-2.0, -0.5, 0.0, 0.75, 3.0, .nan], [-2.0, -1.0, 0.0, 0.0, 3.0, .nan]),
    map("round.values", Round(), [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.6], [-2.0, -2.0, 0.0, 0.0, 2.0, 2.0, 3.0]),
    map(
      "erf.values",
      Erf(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .infinity],
      [-0.99532227, -0.52049988, 0.0, 0.71115563, 0.99997791, 1.0]
    ),
    map(
      "sin.values",
      Sin(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan],
      [-0.90929743, -0.47942554, 0.0, 0.68163876, 0.14112001, .nan]
    ),
    map(
      "cos.values",
      Cos(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan],
      [-0.41614684, 0.87758256, 1.0, 0.73168887, -0.9899925, .nan]
    ),
    map(
      "tan.values",
      Tan(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan],
      [2.18503986, -0.54630249, 0.0, 0.93159646, -0.14254654, .nan]
    ),
    map(
      "sinh.values",
      Sinh(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan],
      [-3.62686041, -0.52109531, 0.0, 0.82231673, 10.01787493, .nan]
    ),
    map(
      "cosh.values",
      Cosh(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan],
      [3.76219569, 1.12762597, 1.0, 1.29468328, 10.067662, .nan]
    ),
    map(
      "atan.values",
      Atan(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan],
      [-1.10714872, -0.46364761, 0.0, 0.64350111, 1.24904577, .nan]
    ),
    map(
      "asinh.values",
      Asinh(),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan],
      [-1.44363548, -0.48121183, 0.0, 0.69314718, 1.81844646, .nan]
    ),
    map("asin.values", Asin(), [-1.0, 0.25, 1.0, 2.0], [-1.57079633, 0.25268026, 1.57079633, .nan]),
    map("acos.values", Acos(), [-1.0, 0.25, 1.0, 2.0], [3.14159265, 1.31811607, 0.0, .nan]),
    map("acosh.values", Acosh(), [1.0, 2.5, 0.5], [0.0, 1.56679924, .nan]),
    map("atanh.values", Atanh(), [-0.5, 0.25, 1.0, 2.0], [-0.54930614, 0.25541281, .infinity, .nan]),
    map("square.values", Square(), [-2.0, -0.5, 0.0, 0.75, 3.0], [4.0, 0.25, 0.0, 0.5625, 9.0]),
    map(
      "clip.values",
      Clip(alpha: -1, beta: 2),
      [-2.0, -0.5, 0.0, 0.75, 3.0, .nan, .infinity],
      [-1.0, -0.5, 0.0, 0.75, 2.0, .nan, 2.0]
    ),
    map("clip.crossed", Clip(alpha: 3, beta: 1), [0.0, 2.0, 5.0], [1.0, 1.0, 1.0]),
    integers("abs.int8-least", Abs(), .int8, [-128, -3, 3], [-128, 3, 3]),
    integers("abs.uint64", Abs(), .uint64, [-1, 3], [-1, 3]),
    integers("neg.int64", Neg(), .int64, [Int.min, 7], [Int.min, -7]),
    integers("sign.int64", Sign(), .int64, [-9, 0, 9], [-1, 0, 1]),
    integers("sign.uint64", Sign(), .uint64, [-9, 0], [1, 0]),
    integers("bitwise_not.uint8", BitwiseNot(), .uint8, [0, 5, 255], [255, 250, 0]),
    integers("bitwise_not.int32", BitwiseNot(), .int32, [0, -1], [-1, 0]),
    integers("logical_not.bool", LogicalNot(), .bool, [0, 1], [1, 0]),
    OperatorCase("exp.empty", Exp(), [[Tensor([2, 0], floats: [])]], expected: [Tensor([2, 0], floats: [])]),
    OperatorCase("exp.scalar", Exp(), [[Tensor([], floats: [0])]], expected: [Tensor([], floats: [1])]),
    OperatorCase(
      "is_nan.values",
      IsNan(),
      [[Tensor([3], floats: [.nan, 1, .infinity])]],
      expected: [Tensor(.bool, [3], [1, 0, 0])]
    ),
    OperatorCase(
      "is_inf.values",
      IsInf(),
      [[Tensor([4], floats: [.nan, 1, .infinity, -.infinity])]],
      expected: [Tensor(.bool, [4], [0, 0, 1, 1])]
    ),
    OperatorCase(
      "cast.float-to-int32",
      Cast(.int32),
      [[Tensor([4], floats: [1.9, -1.9, .nan, 0])]],
      expected: [Tensor(.int32, [4], [1, -1, 0, 0])]
    ),
    OperatorCase(
      "cast.float-to-bool",
      Cast(.bool),
      [[Tensor([4], floats: [0, -0.0, 0.25, .nan])]],
      expected: [Tensor(.bool, [4], [0, 0, 1, 1])]
    ),
    OperatorCase(
      "cast.int-wraps",
      Cast(.uint8),
      [[Tensor(.int64, [3], [-1, 256, 300])]],
      expected: [Tensor(.uint8, [3], [255, 0, 44])]
    ),
    OperatorCase(
      "cast.to-half-rounds",
      Cast(.float16),
      [[Tensor([3], floats: [2049, 70000, 0.1])]],
      expected: [Tensor(.float16, [3], [2048, Double.infinity, 0.0999755859375])]
    ),
    OperatorCase(
      "bit_cast.float-to-int32",
      BitCast(.int32),
      [[Tensor([2, 2], floats: [1, -0.0, .infinity, Float(bitPattern: 0x7F80_0001)])]],
      expected: [Tensor(.int32, [2, 2], [0x3F80_0000, Int(Int32.min), 0x7F80_0000, 0x7F80_0001])]
    ),
    OperatorCase(
      "bit_cast.signalling-half",
      BitCast(.float16),
      [[Tensor(.uint16, [3], [0x3C00, 0x7C01, 0xFFFF])]],
      expected: [Tensor(.uint16, [3], [0x3C00, 0x7C01, 0xFFFF]).reinterpreted(as: .float16)]
    ),
    OperatorCase(
      "bit_cast.int64-to-double",
      BitCast(.float64),
      [[Tensor(.int64, [], [0x3FF0_0000_0000_0000])]],
      expected: [Tensor(.float64, [], [1.0])]
    ),
    integers("bit_cast.same-width", BitCast(.uint8), .int8, [-1, 0, 127], [255, 0, 127], .uint8),
    integers("bit_cast.truths", BitCast(.uint8), .bool, [1, 0], [1, 0], .uint8),
    integers("bit_cast.nothing", BitCast(.uint32), .int32, [], [], .uint32),
    integers("bit_cast.same", BitCast(.int16), .int16, [-3, 4], [-3, 4], .int16),
  ]

  private static func map(_ label: String, _ op: any Operator, _ x: [Float], _ y: [Float]) -> OperatorCase {
    OperatorCase(label, op, [[Tensor([x.count], floats: x)]], expected: [Tensor([y.count], floats: y)])
  }

  private static func integers(
    _ label: String,
    _ op: any Operator,
    _ dtype: DType,
    _ x: [Int],
    _ y: [Int],
    _ result: DType? = nil
  ) -> OperatorCase {
    OperatorCase(label, op, [[Tensor(dtype, [x.count], x)]], expected: [Tensor(result ?? dtype, [y.count], y)])
  }
}
