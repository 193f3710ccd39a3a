import MLCCore
import MLCGraph
import MLCOps

extension Relu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { x[0].max(0, dtype) }
}

extension Relu6: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { x[0].max(0, dtype).min(6, dtype) }
}

extension LeakyRelu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    .select(.compare(.less, x[0], .number(0, dtype)), x[0] * .number(alpha, dtype), x[0])
  }
}

extension Prelu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    .select(.compare(.less, x[0], .number(0, dtype)), x[0] * x[1], x[0])
  }
}

extension Elu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    let negative = Scalar.number(alpha, dtype) * .unary(.expm1, x[0])
    return .select(.compare(.less, x[0], .number(0, dtype)), negative, x[0])
  }
}

extension Celu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    let a = Scalar.number(alpha, dtype)
    return .select(.compare(.less, x[0], .number(0, dtype)), a * .unary(.expm1, x[0] / a), x[0])
  }
}

extension Selu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    let negative = Scalar.number(alpha * gamma, dtype) * .unary(.expm1, x[0])
    return .select(.compare(.greater, x[0], .number(0, dtype)), x[0] * .number(gamma, dtype), negative)
  }
}

extension SigmoidHard: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    (x[0] * .number(alpha, dtype)).plus(beta, dtype).max(0, dtype).min(1, dtype)
  }
}

extension HardSwish: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    x[0] * (x[0].plus(3, dtype).max(0, dtype).min(6, dtype) * .number(1.0 / 6, dtype))
  }
}

extension Silu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { x[0] * .unary(.sigmoid, x[0]) }
}

extension Softplus: ElementwiseLowerable {
  /// `max(x, 0) + log1p(e^−|x|)`, which neither overflows nor cancels.
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    x[0].max(0, dtype) + .unary(.log1p, .unary(.exp, .unary(.neg, .unary(.abs, x[0]))))
  }
}

extension Mish: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    x[0].max(-1e4, dtype) * .unary(.tanh, Softplus().scalar(x, dtype: dtype))
  }
}

extension Softsign: ElementwiseLowerable {
  /// Beyond ±10³⁰ the result is ±1, of infinities too.
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    let bounded = x[0].max(-1e30, dtype).min(1e30, dtype)
    return bounded / Scalar.unary(.abs, bounded).plus(1, dtype)
  }
}

extension ThresholdedRelu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar {
    .select(.compare(.less, .number(alpha, dtype), x[0]), x[0], .number(0, dtype))
  }
}

extension Gelu: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) throws(Diagnostic) -> Scalar {
    func number(_ value: Double) -> Scalar { .number(value, dtype) }
    let x = x[0]
    switch mode {
    case "EXACT": return x * number(0.5) * (.unary(.erf, x * number(0.5.squareRoot())) + number(1))
    case "TANH_APPROXIMATION":
      let inner = number((2 / Double.pi).squareRoot()) * (x + number(0.044715) * x * x * x)
      return x * number(0.5) * (.unary(.tanh, inner) + number(1))
    default: return x * .unary(.sigmoid, x * number(1.702))
    }
  }
}

extension Sigmoid: UnaryLowerable { package static var function: Scalar.Unary { .sigmoid } }
