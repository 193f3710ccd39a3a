import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Layers that are one operator without parameters, of each element.
enum NNElementwise: NNLayerRule {
  private static let operators: [(kind: String, op: any Operator)] = [
    ("ceil", Ceil()), ("floor", Floor()), ("sign", Sign()), ("round", Round()), ("exp2", Exp2()),
    ("sin", Sin()), ("cos", Cos()), ("tan", Tan()), ("asin", Asin()), ("acos", Acos()), ("atan", Atan()),
    ("sinh", Sinh()), ("cosh", Cosh()), ("tanh", Tanh()), ("asinh", Asinh()), ("acosh", Acosh()), ("atanh", Atanh()),
    ("erf", Erf()),
  ]
  static let kinds = operators.map { $0.kind }

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    guard let match = operators.first(where: { $0.kind == layer.kind }) else { throw NNContext.wrong("no such layer") }
    return [try context.emit(match.op, try context.input())]
  }
}

/// `clip`, `clampedReLU` and `gelu`.
enum NNBounded: NNLayerRule {
  static let kinds = ["clip", "clampedReLU", "gelu"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input()
    switch layer.spec.layer {
    case .clip(let spec)?: return [try context.emit(Clip(alpha: Double(spec.minVal), beta: Double(spec.maxVal)), x)]
    case .clampedReLu(let spec)?:
      let leaky = try context.emit(LeakyRelu(alpha: Double(spec.alpha)), x)
      return [try context.emit(Minimum(), leaky, context.scalar(Double(spec.beta)))]
    default:
      switch layer.spec.gelu.mode {
      case .exact: return [try context.emit(Gelu(mode: "EXACT"), x)]
      case .tanhApproximation: return [try context.emit(Gelu(mode: "TANH_APPROXIMATION"), x)]
      case .sigmoidApproximation: return [try context.emit(Gelu(mode: "SIGMOID_APPROXIMATION"), x)]
      case .UNRECOGNIZED(let mode): throw NNContext.unsupported("the mode \(mode) of gelu is not known")
      }
    }
  }
}

/// `unary`: a function of `scale · x + shift`. A logarithm has an ε where the layer says one.
enum NNUnary: NNLayerRule {
  static let kinds = ["unary"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.unary
    let scale = spec.scale == 0 ? 1 : Double(spec.scale)
    var x = try context.input()
    if scale != 1 || spec.shift != 0 { x = try NNActivation.linear(x, scale, Double(spec.shift), &context) }
    let (alpha, epsilon) = (Double(spec.alpha), spec.epsilon == 0 ? 1e-6 : Double(spec.epsilon))
    switch spec.type {
    case .sqrt: return [try context.emit(Sqrt(), x)]
    case .rsqrt: return [try context.emit(Rsqrt(epsilon: epsilon), x)]
    case .inverse: return [try context.emit(Inverse(epsilon: epsilon), x)]
    case .power: return [try context.emit(Pow(), x, context.scalar(alpha))]
    case .exp: return [try context.emit(Exp(), x)]
    case .log: return [try context.emit(Log(epsilon: Double(spec.epsilon)), x)]
    case .abs: return [try context.emit(Abs(), x)]
    case .threshold: return [try context.emit(Maximum(), x, context.scalar(alpha))]
    case .UNRECOGNIZED(let type): throw NNContext.unsupported("the function \(type) is not known")
    }
  }
}
