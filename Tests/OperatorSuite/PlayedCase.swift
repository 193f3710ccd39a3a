import MLCCore
import MLCGraph
import TestSupport

/// A case as generated code plays it: what each input is to the compiler, and the tensors of every run.
struct PlayedCase: Sendable {
  enum Operand: Sendable {
    case constant(Tensor)
    /// Given as the program runs; symbols are the case's own.
    case input(TensorType)
  }

  var label: String
  var op: any Operator
  /// One list a port of the schema.
  var operands: [[Operand]]
  /// The inputs of each run, in the order of `operands`.
  var runs: [[Tensor]]
  var rtol: Double, atol: Double

  /// Every extent a number; one run.
  init(_ item: OperatorCase) {
    (label, op, rtol, atol) = (item.label, item.op, item.rtol, item.atol)
    var arguments: [Tensor] = []
    operands = zip(type(of: item.op).ports, item.inputs).map { port, tensors in
      tensors.map { tensor in
        if item.constants.contains(port.name) { return .constant(tensor) }
        arguments.append(tensor)
        return .input(tensor.type)
      }
    }
    runs = [arguments]
  }

  /// The arguments for `append`, with `prefix` before every symbol.
  func values(in builder: inout Builder, prefix: String = "") -> [[ValueID]] {
    zip(type(of: op).ports, operands).map { port, list in
      list.map { operand in
        switch operand {
        case .constant(let tensor): builder.constant(tensor, name: port.name)
        case .input(let type):
          builder.input(
            port.name,
            TensorType(type.dtype, type.shape.map { dim in dim.symbol.map { .symbol(prefix + $0) } ?? dim })
          )
        }
      }
    }
  }

  /// The case on its own.
  func function() throws(Diagnostic) -> Function {
    var builder = Builder()
    let outputs = try builder.append(op, values(in: &builder), names: ["out"])
    return builder.finish(outputs.enumerated().map { ("out\($0.offset)", $0.element) })
  }

  /// What the interpreter makes of each run.
  func expected() throws(Diagnostic) -> [[Tensor]] {
    let function = try function()
    var results: [[Tensor]] = []
    for arguments in runs { results.append(try Interpreter(function).run(arguments)) }
    return results
  }

  /// Why generated code's `result` is not `reference`; `nil` when it is close enough.
  ///
  /// Generated code computes 16-bit floats in fp32 and rounds once, as the reference does: their results lie at most
  /// one representable number apart, besides what fp32 allows.
  func disagreement(_ result: Tensor, _ reference: Tensor) -> String? {
    return TestSupport.disagreement(result, reference, rtol: max(rtol, reference.dtype.spacing), atol: max(atol, 1e-5))
  }
}

extension DType {
  /// The largest relative distance of neighbouring 16-bit numbers; what generated code grants itself of wider ones.
  fileprivate var spacing: Double {
    switch self {
    case .float16: 0x1p-10
    case .bfloat16: 0x1p-7
    default: 1e-4
    }
  }
}
