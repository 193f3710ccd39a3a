import MLCCore
import MLCGraph
import MLCOps

// ONNX operators whose conversion a row says.

extension ONNXRule {
  /// One operation on the node's inputs, in their order, with one output. Operators of two inputs that are older than
  /// operator set 7 broadcast by attributes there.
  static let elementwise: [ONNXRule] = [
    .elementwise("Abs", Abs()),
    .elementwise("Acos", since: 7, Acos()),
    .elementwise("Acosh", since: 9, Acosh()),
    .broadcasting("Add", Add()),
    .broadcasting("And", LogicalAnd()),
    .elementwise("Asin", since: 7, Asin()),
    .elementwise("Asinh", since: 9, Asinh()),
    .elementwise("Atan", since: 7, Atan()),
    .elementwise("Atanh", since: 9, Atanh()),
    .elementwise("BitwiseAnd", since: 18, BitwiseAnd()),
    .elementwise("BitwiseNot", since: 18, BitwiseNot()),
    .elementwise("BitwiseOr", since: 18, BitwiseOr()),
    .elementwise("BitwiseXor", since: 18, BitwiseXor()),
    .elementwise("Ceil", Ceil()),
    .elementwise("Celu", since: 12) { (node) throws(Diagnostic) in
      Celu(alpha: Double(try node.float("alpha", default: 1)))
    },
    .elementwise("Cos", since: 7, Cos()),
    .elementwise("Cosh", since: 9, Cosh()),
    .broadcasting("Div", RealDiv()),
    .elementwise("Elu") { (node) throws(Diagnostic) in
      Elu(alpha: Double(try node.float("alpha", default: 1)))
    },
    .broadcasting("Equal", Equal()),
    .elementwise("Erf", since: 9, Erf()),
    .elementwise("Exp", Exp()),
    .elementwise("Floor", Floor()),
    .broadcasting("Greater", Greater()),
    .elementwise("GreaterOrEqual", since: 12, GreaterEqual()),
    .elementwise("HardSigmoid") { (node) throws(Diagnostic) in
      SigmoidHard(
        alpha: Double(try node.float("alpha", default: 0.2)),
        beta: Double(try node.float("beta", default: 0.5))
      )
    },
    .elementwise("HardSwish", since: 14, HardSwish()),
    .elementwise("IsInf", since: 10) { (node) throws(Diagnostic) in
      var op = IsInf()
      op.positive = try node.flag("detect_positive", default: true)
      op.negative = try node.flag("detect_negative", default: true)
      return op
    },
    .elementwise("IsNaN", since: 9, IsNan()),
    .elementwise("LeakyRelu") { (node) throws(Diagnostic) in
      LeakyRelu(alpha: Double(try node.float("alpha", default: 0.01)))
    },
    .broadcasting("Less", Less()),
    .elementwise("LessOrEqual", since: 12, LessEqual()),
    .elementwise("Log", Log()),
    .elementwise("Mish", since: 18, Mish()),
    .elementwise("Mod", since: 10) { (node) throws(Diagnostic) in
      var op = Mod()
      op.truncate = try node.flag("fmod")
      return op
    },
    .broadcasting("Mul", Mul()),
    .elementwise("Neg", Neg()),
    .elementwise("Not", LogicalNot()),
    .broadcasting("Or", LogicalOr()),
    .broadcasting("Pow", Pow()),
    .elementwise("Reciprocal", Inverse()),
    .elementwise("RegexFullMatch", since: 20) { (node) throws(Diagnostic) in
      RegexFullMatch(pattern: try node.string("pattern", default: ""))
    },
    .elementwise("Relu", Relu()),
    .elementwise("Round", since: 11, Round()),
    .elementwise("Selu") { (node) throws(Diagnostic) in
      Selu(
        alpha: Double(try node.float("alpha", default: 1.6732632)),
        gamma: Double(try node.float("gamma", default: 1.0507010))
      )
    },
    .elementwise("Sigmoid", Sigmoid()),
    .elementwise("Sign", since: 9, Sign()),
    .elementwise("Sin", since: 7, Sin()),
    .elementwise("Sinh", since: 9, Sinh()),
    .elementwise("Softplus", Softplus()),
    .elementwise("Softsign", Softsign()),
    .elementwise("Sqrt", Sqrt()),
    .elementwise("StringConcat", since: 20, StringConcat()),
    .elementwise("StringNormalizer", since: 10) { (node) throws(Diagnostic) in
      StringNormalizer(
        caseChange: try node.string("case_change_action", default: "NONE"),
        isCaseSensitive: try node.flag("is_case_sensitive"),
        stopwords: try node.strings("stopwords") ?? []
      )
    },
    .broadcasting("Sub", Sub()),
    .elementwise("Tan", since: 7, Tan()),
    .elementwise("Tanh", Tanh()),
    .elementwise("ThresholdedRelu") { (node) throws(Diagnostic) in
      ThresholdedRelu(alpha: Double(try node.float("alpha", default: 1)))
    },
    .elementwise("Where", since: 9, Select()),
    .broadcasting("Xor", LogicalXor()),
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
