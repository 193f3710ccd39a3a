import MLCCore
import MLCGraph
import MLCOps

// ONNX operators whose conversion a row says.

extension ONNXRule {
  /// One operation on the node's inputs, in their order, with one output. Before version 7 operators of two inputs
  /// broadcast by an attribute.
  static let elementwise: [ONNXRule] = [
    .elementwise("Abs", Abs()),
    .elementwise("Acos", Acos()),
    .elementwise("Acosh", Acosh()),
    .elementwise("Add", since: 7, Add()),
    .elementwise("And", since: 7, LogicalAnd()),
    .elementwise("Asin", Asin()),
    .elementwise("Asinh", Asinh()),
    .elementwise("Atan", Atan()),
    .elementwise("Atanh", Atanh()),
    .elementwise("BitwiseAnd", BitwiseAnd()),
    .elementwise("BitwiseNot", BitwiseNot()),
    .elementwise("BitwiseOr", BitwiseOr()),
    .elementwise("BitwiseXor", BitwiseXor()),
    .elementwise("Ceil", Ceil()),
    .elementwise("Celu") { (node) throws(Diagnostic) in
      Celu(alpha: Double(try node.float("alpha", default: 1)))
    },
    .elementwise("Cos", Cos()),
    .elementwise("Cosh", Cosh()),
    .elementwise("Div", since: 7, RealDiv()),
    .elementwise("Elu") { (node) throws(Diagnostic) in
      Elu(alpha: Double(try node.float("alpha", default: 1)))
    },
    .elementwise("Equal", since: 7, Equal()),
    .elementwise("Erf", Erf()),
    .elementwise("Exp", Exp()),
    .elementwise("Floor", Floor()),
    .elementwise("Greater", since: 7, Greater()),
    .elementwise("GreaterOrEqual", GreaterEqual()),
    .elementwise("HardSigmoid") { (node) throws(Diagnostic) in
      SigmoidHard(
        alpha: Double(try node.float("alpha", default: 0.2)),
        beta: Double(try node.float("beta", default: 0.5))
      )
    },
    .elementwise("HardSwish", HardSwish()),
    .elementwise("IsInf") { (node) throws(Diagnostic) in
      var op = IsInf()
      op.positive = try node.flag("detect_positive", default: true)
      op.negative = try node.flag("detect_negative", default: true)
      return op
    },
    .elementwise("IsNaN", IsNan()),
    .elementwise("LeakyRelu") { (node) throws(Diagnostic) in
      LeakyRelu(alpha: Double(try node.float("alpha", default: 0.01)))
    },
    .elementwise("Less", since: 7, Less()),
    .elementwise("LessOrEqual", LessEqual()),
    .elementwise("Log", Log()),
    .elementwise("Mish", Mish()),
    .elementwise("Mod") { (node) throws(Diagnostic) in
      var op = Mod()
      op.truncate = try node.flag("fmod")
      return op
    },
    .elementwise("Mul", since: 7, Mul()),
    .elementwise("Neg", Neg()),
    .elementwise("Not", since: 1, LogicalNot()),
    .elementwise("Or", since: 7, LogicalOr()),
    .elementwise("PRelu", since: 7, Prelu()),
    .elementwise("Pow", since: 7, Pow()),
    .elementwise("Reciprocal", Inverse()),
    .elementwise("Relu", Relu()),
    .elementwise("Round", Round()),
    .elementwise("Selu") { (node) throws(Diagnostic) in
      Selu(
        alpha: Double(try node.float("alpha", default: 1.6732632)),
        gamma: Double(try node.float("gamma", default: 1.0507010))
      )
    },
    .elementwise("Sigmoid", Sigmoid()),
    .elementwise("Sign", Sign()),
    .elementwise("Sin", Sin()),
    .elementwise("Sinh", Sinh()),
    .elementwise("Softplus", Softplus()),
    .elementwise("Softsign", Softsign()),
    .elementwise("Sqrt", Sqrt()),
    .elementwise("Sub", since: 7, Sub()),
    .elementwise("Tan", Tan()),
    .elementwise("Tanh", Tanh()),
    .elementwise("ThresholdedRelu") { (node) throws(Diagnostic) in
      ThresholdedRelu(alpha: Double(try node.float("alpha", default: 1)))
    },
    .elementwise("Where", Select()),
    .elementwise("Xor", since: 7, LogicalXor()),
  ]

  static let reductions: [ONNXRule] = [
    .reduction("ReduceL1", ReduceL1Norm.self, ofNone: [Abs()]),
    .reduction("ReduceL2", ReduceL2Norm.self, ofNone: [Abs()]),
    .reduction("ReduceLogSum", ReduceLogSum.self, ofNone: [Log()]),
    .reduction("ReduceLogSumExp", ReduceLogSumExp.self),
    .reduction("ReduceMax", ReduceMax.self),
    .reduction("ReduceMean", ReduceMean.self),
    .reduction("ReduceMin", ReduceMin.self),
    .reduction("ReduceProd", ReduceProd.self),
    .reduction("ReduceSum", ReduceSum.self),
    .reduction("ReduceSumSquare", ReduceSumSquare.self, ofNone: [Square()]),
    .argReduction("ArgMax", ReduceArgmax.self),
    .argReduction("ArgMin", ReduceArgmin.self),
  ]

  /// Any number of inputs, folded from the left into a binary operation.
  static let variadic: [ONNXRule] = [
    .variadic("Max", Maximum()),
    .variadic("Min", Minimum()),
    .variadic("Sum", Add()),
  ]
}
