import MLCCore
import MLCGraph

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

  /// Every extent a number; one run.
  init(_ item: OperatorCase) {
    (label, op) = (item.label, item.op)
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

  /// What the interpreter makes of the magnitudes of the operands of each run, where the tolerance asks for it.
  func terms() throws(Diagnostic) -> [[Tensor]] {
    guard tolerance.scale == .terms else { return [] }
    var magnitudes = self
    magnitudes.operands = operands.map { list in
      list.map { if case .constant(let tensor) = $0 { .constant(tensor.magnitudes) } else { $0 } }
    }
    magnitudes.runs = runs.map { $0.map { $0.magnitudes } }
    return try magnitudes.expected()
  }

  /// The largest finite magnitude of the operands of a run.
  func largestOperand(_ run: Int) -> Double {
    var largest = runs[run].map { $0.largest }
    for case .constant(let tensor) in operands.joined() { largest.append(tensor.largest) }
    return largest.max() ?? 0
  }

  var tolerance: KernelTolerance { .of(type(of: op)) }
}

extension Tensor {
  /// |x| of floats; other elements stay.
  fileprivate var magnitudes: Tensor { dtype.isFloat ? Tensor(dtype, shape, doubles.map { abs($0) }) : self }
  fileprivate var largest: Double { dtype.isFloat ? doubles.filter { $0.isFinite }.map { abs($0) }.max() ?? 0 : 0 }
}
