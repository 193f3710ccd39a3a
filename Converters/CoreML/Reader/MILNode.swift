import MLCCore
import MLCGraph

/// What a name of the program stands for while it is imported.
enum MILEntry: Sendable {
  case value(ValueID)
  /// Becomes an operation only where a value is needed.
  case constant(Tensor)
  /// Memory of the function, which is read and written by its name.
  case state(String)
  /// An operation of the graph whose numbers are known to those who need them.
  case compressed(ValueID, MILExpression, output: Int)

  /// The constant. Throws `coreml.parameter` for a value that is computed as the model runs.
  func tensor() throws(Diagnostic) -> Tensor {
    switch self {
    case .constant(let tensor): return tensor
    case .compressed(_, let expression, let output): return try expression.expanded()[output]
    case .value, .state: throw Diagnostic("coreml.parameter", "it must be a constant", kind: .unsupported)
    }
  }
}

/// One operation of the program, its arguments looked up.
struct MILNode: Sendable {
  var type: String
  /// The `name` attribute.
  let name: String
  var arguments: [String: [MILEntry]]
  /// Constants held as attributes.
  let attributes: [String: Tensor]
  let outputs: [(name: String, type: TensorType?)]
  let origin: Location

  /// The argument as a constant, wherever it is held.
  func constant(_ name: String) throws(Diagnostic) -> Tensor? {
    if let attribute = attributes[name] { return attribute }
    guard let entries = arguments[name] else { return nil }
    guard entries.count == 1 else {
      throw Diagnostic("coreml.parameter", "'\(name)' must be a constant", kind: .unsupported)
    }
    if case .value = entries[0] {
      throw Diagnostic("coreml.parameter", "'\(name)' must be a constant", kind: .unsupported)
    }
    return try entries[0].tensor()
  }

  func required(_ name: String) throws(Diagnostic) -> Tensor {
    guard let tensor = try constant(name) else { throw Diagnostic("coreml.parameter", "'\(name)' is missing") }
    return tensor
  }

  func integer(_ name: String) throws(Diagnostic) -> Int? {
    guard let tensor = try constant(name) else { return nil }
    guard tensor.dtype != .string, tensor.count == 1 else {
      throw Diagnostic("coreml.parameter", "'\(name)' is \(tensor.type)")
    }
    return tensor.dtype.isFloat ? Tensor.wrapping(tensor.doubles[0]) : tensor.integers[0]
  }

  func number(_ name: String) throws(Diagnostic) -> Double? {
    guard let tensor = try constant(name) else { return nil }
    guard tensor.dtype != .string, tensor.count == 1 else {
      throw Diagnostic("coreml.parameter", "'\(name)' is \(tensor.type)")
    }
    return tensor.doubles[0]
  }

  func flag(_ name: String) throws(Diagnostic) -> Bool { try integer(name).map { $0 != 0 } ?? false }

  /// A list of `count` integers.
  func integers(_ name: String, count: Int) throws(Diagnostic) -> [Int] {
    let tensor = try required(name)
    guard tensor.dtype.isInteger, tensor.count == count else {
      throw Diagnostic("coreml.parameter", "'\(name)' is \(tensor.type), not \(count) integers")
    }
    return tensor.integers
  }

  func text(_ name: String) throws(Diagnostic) -> String? {
    guard let tensor = try constant(name) else { return nil }
    guard tensor.dtype == .string, tensor.count == 1 else {
      throw Diagnostic("coreml.parameter", "'\(name)' is \(tensor.type)")
    }
    return tensor.strings[0]
  }
}

extension Tensor {
  /// What this may be as an attribute, the likeliest first.
  var asAttributes: [AttributeValue] {
    switch dtype {
    case .string:
      guard count == 1 else { return [.strings(strings)] }
      return [.string(strings[0])] + (DType(rawValue: strings[0]).map { [.dtype($0)] } ?? []) + [.strings(strings)]
    case .bool:
      let flags = integers.map { $0 != 0 }
      return rank == 0 && count == 1
        ? [.bool(flags[0]), .bools(flags)] : [.bools(flags)] + (count == 1 ? [.bool(flags[0])] : [])
    case _ where dtype.isFloat:
      return count == 1 ? [.float(doubles[0]), .floats(doubles)] : [.floats(doubles)]
    default:
      let numbers = integers
      return rank == 0 && count == 1
        ? [.int(numbers[0]), .ints(numbers), .tensor(self)] : [.ints(numbers)] + (count == 1 ? [.int(numbers[0])] : [])
    }
  }
}
