import Foundation
import MLCKernels

extension NestReference {
  static func unary(_ f: Scalar.Unary, _ x: Double) -> Double {
    switch f {
    case .neg: -x
    case .abs: Swift.abs(x)
    case .sign: x > 0 ? 1 : x < 0 ? -1 : x
    case .exp: Foundation.exp(x)
    case .exp2: Foundation.exp2(x)
    case .expm1: Foundation.expm1(x)
    case .log: Foundation.log(x)
    case .log1p: Foundation.log1p(x)
    case .sqrt: x.squareRoot()
    case .rsqrt: 1 / x.squareRoot()
    case .inverse: 1 / x
    case .erf: Foundation.erf(x)
    case .tanh: Foundation.tanh(x)
    case .sigmoid: 1 / (1 + Foundation.exp(-x))
    case .floor: x.rounded(.down)
    case .ceil: x.rounded(.up)
    case .round: x.rounded(.toNearestOrEven)
    case .trunc: x.rounded(.towardZero)
    case .sin: Foundation.sin(x)
    case .cos: Foundation.cos(x)
    case .tan: Foundation.tan(x)
    case .asin: Foundation.asin(x)
    case .acos: Foundation.acos(x)
    case .atan: Foundation.atan(x)
    case .sinh: Foundation.sinh(x)
    case .cosh: Foundation.cosh(x)
    case .asinh: Foundation.asinh(x)
    case .acosh: Foundation.acosh(x)
    case .atanh: Foundation.atanh(x)
    case .logicalNot: x == 0 ? 1 : 0
    case .bitwiseNot: -x - 1
    case .isNaN: x.isNaN ? 1 : 0
    case .isInf: x.isInfinite ? 1 : 0
    }
  }

  static func binary(_ f: Scalar.Binary, _ a: Double, _ b: Double) -> Double {
    switch f {
    case .add: a + b
    case .sub: a - b
    case .mul: a * b
    case .div: a / b
    case .max: a.isNaN || b.isNaN ? .nan : Swift.max(a, b)
    case .min: a.isNaN || b.isNaN ? .nan : Swift.min(a, b)
    case .pow: Foundation.pow(a, b)
    case .mod: a - (a / b).rounded(.down) * b
    case .fmod: fmod(a, b)
    case .logicalAnd: a != 0 && b != 0 ? 1 : 0
    case .logicalOr: a != 0 || b != 0 ? 1 : 0
    case .logicalXor: (a != 0) != (b != 0) ? 1 : 0
    case .bitwiseAnd: Double(Int(a) & Int(b))
    case .bitwiseOr: Double(Int(a) | Int(b))
    case .bitwiseXor: Double(Int(a) ^ Int(b))
    case .shiftLeft: Double(Int(a) << Int(b))
    case .shiftRight: Double(Int(a) >> Int(b))
    }
  }

  static func compare(_ f: Scalar.Comparison, _ a: Double, _ b: Double) -> Bool {
    switch f {
    case .equal: a == b
    case .notEqual: a != b
    case .less: a < b
    case .lessEqual: a <= b
    case .greater: a > b
    case .greaterEqual: a >= b
    }
  }
}
