import MLCCore
import MLCGraph
import MLCOps

/// ONNX' preview `Adagrad`, `Adam` and `Momentum`: one step of training for each tensor `x` with its gradient `g`,
/// element by element, at the rate R and the count of steps T.
///
/// With `g′ = norm_coefficient·x + g`, `Adagrad`: `h′ = h + g′²`, `x′ = x − R/(1 + T·decay_factor) · g′/(√h′ +
/// epsilon)`. `Momentum`: `v′ = alpha·v + beta·g′`, beta 1 in step 0, `x′ = x − R·v′`, or `nesterov` `x − R·(g′ +
/// alpha·v′)`. `Adam`: `v′ = alpha·v + (1 − alpha)·g′`, `h′ = beta·h + (1 − beta)·g′²`, `x′ = (1 −
/// norm_coefficient_post) · (x − r·v′/(√h′ + epsilon))`, r being `R·√(1 − betaᵀ)/(1 − alphaᵀ)`, or R in step 0. All x′
/// come first, then all v′, then all h′.
package enum ONNXOptimizerStep: ONNXOperator {
  package static let types = ["Adagrad", "Adam", "Momentum"]
  package static var domain: String { "ai.onnx.preview.training" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let kinds = node.opType == "Adam" ? 4 : 3
    let count = (node.inputs.count - 2) / kinds
    guard node.inputs.count == 2 + kinds * count, count > 0 else {
      throw Diagnostic("onnx.optimizer", "\(node.opType) with \(node.inputs.count) inputs")
    }
    let step = try OptimizerStep(node, in: &context)
    var results: [[ValueID]] = []
    for index in 0..<count {
      var tensors: [ValueID] = []
      for kind in 0..<kinds { tensors.append(try context.required(2 + kind * count + index)) }
      guard tensors.allSatisfy({ context.fact($0).dtype == context.fact(tensors[0]).dtype }),
        context.fact(tensors[0]).dtype.isFloat
      else { throw Diagnostic("onnx.optimizer", "a step of \(tensors.map { context.fact($0).type })") }
      results.append(try step.results(tensors, in: &context))
    }
    return (0..<kinds - 1).flatMap { kind in results.map { $0[kind] } }
  }
}

/// The numbers of a step.
private struct OptimizerStep {
  private let kind: String
  private let alpha: Double, beta: Double, norm: Double, normPost: Double, epsilon: Double, decay: Double
  private let isNesterov: Bool
  /// Scalars: the rate, and the count as float32.
  private let rate: ValueID, step: ValueID

  init(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) {
    func number(_ name: String, _ usual: Float) throws(Diagnostic) -> Double {
      Double(try node.float(name, default: usual))
    }
    kind = node.opType
    (alpha, beta) = (try number("alpha", 0.9), try number("beta", 0.999))
    (norm, normPost) = (try number("norm_coefficient", 0), try number("norm_coefficient_post", 0))
    (epsilon, decay) = (try number("epsilon", 1e-6), try number("decay_factor", 0))
    isNesterov = try node.string("mode", default: "standard") == "nesterov"
    rate = try context.scalar(try context.required(0), "onnx.optimizer")
    step = try context.cast(try context.scalar(try context.required(1), "onnx.optimizer"), to: .float32)
    guard context.fact(rate).dtype.isFloat else {
      throw Diagnostic("onnx.optimizer", "the rate is \(context.fact(rate).type)")
    }
  }

  /// x′, and v′ and h′ where there are such.
  func results(_ tensors: [ValueID], in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = tensors[0]
    let g = try context.emit(Add(), try context.scaled(x, by: norm), tensors[1])
    let rate = try context.cast(self.rate, to: context.fact(x).dtype)
    if kind == "Adagrad" {
      let h = try context.emit(Add(), tensors[2], try context.emit(Mul(), g, g))
      let fade = try context.raised(try context.scaled(step, by: decay), by: 1)
      let slower = try context.emit(RealDiv(), rate, try context.cast(fade, to: context.fact(x).dtype))
      return [try moved(x, slower, try quotient(g, h, in: &context), in: &context), h]
    }
    if kind == "Momentum" {
      let share = try first(of: context.constant(.scalar(.float32, beta), "beta"), 1, in: &context)
      let part = try context.emit(Mul(), try context.cast(share, to: context.fact(x).dtype), g)
      let v = try context.emit(Add(), try context.scaled(tensors[2], by: alpha), part)
      let way = isNesterov ? try context.emit(Add(), g, try context.scaled(v, by: alpha)) : v
      return [try moved(x, rate, way, in: &context), v]
    }
    let v = try mixed(tensors[2], g, alpha, in: &context)
    let h = try mixed(tensors[3], try context.emit(Mul(), g, g), beta, in: &context)
    let pace = try context.emit(Mul(), rate, try context.cast(try bias(in: &context), to: context.fact(x).dtype))
    let y = try moved(x, pace, try quotient(v, h, in: &context), in: &context)
    return [try context.scaled(y, by: 1 - normPost), v, h]
  }

  private func moved(_ x: ValueID, _ rate: ValueID, _ way: ValueID, in context: inout ONNXContext) throws(Diagnostic)
    -> ValueID
  {
    try context.emit(Sub(), x, try context.emit(Mul(), rate, way))
  }

  private func quotient(_ x: ValueID, _ h: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try context.emit(RealDiv(), x, try context.raised(try context.emit(Sqrt(), h), by: epsilon))
  }

  private func mixed(_ old: ValueID, _ new: ValueID, _ share: Double, in context: inout ONNXContext) throws(Diagnostic)
    -> ValueID
  {
    try context.emit(Add(), try context.scaled(old, by: share), try context.scaled(new, by: 1 - share))
  }

  /// `x`, in step 0 `start`; a float32 scalar.
  private func first(of x: ValueID, _ start: Double, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let isLater = try context.emit(Greater(), step, try context.number(0, like: step))
    return try context.emit(Select(), isLater, x, try context.number(start, like: x))
  }

  /// `√(1 − betaᵀ)/(1 − alphaᵀ)`, in step 0 1.
  private func bias(in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    var rests: [ValueID] = []
    for base in [beta, alpha] {
      let power = try context.emit(Pow(), try context.number(base, like: step), step)
      rests.append(try context.emit(Sub(), try context.number(1, like: step), power))
    }
    return try first(of: try context.emit(RealDiv(), try context.emit(Sqrt(), rests[0]), rests[1]), 1, in: &context)
  }
}
