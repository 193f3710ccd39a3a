import MLCCore
import MLCGraph
import MLCOps

/// ONNX `LabelEncoder`: the value of each key. In its first version the keys are texts and the values their places, or
/// the other way round, as the input says.
package enum ONNXLabelEncoder: ONNXMachineLearning {
  package static let types = ["LabelEncoder"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.required(0)
    if let classes = try node.strings("classes_strings") {
      let numbers = Array(classes.indices)
      return [try ONNXKeyTable(node, classes, numbers, from: context.fact(x).dtype).values(of: x, in: &context)]
    }
    let (keys, values) = (try list(node, "keys"), try list(node, "values"))
    let table = try ONNXKeyTable(keys, values, else: try ONNXKeyTable.other(node, values.dtype))
    return [try table.values(of: x, in: &context)]
  }

  /// The one list of a name. Throws `onnx.keys` unless there is one.
  private static func list(_ node: ONNXNode, _ name: String) throws(Diagnostic) -> Tensor {
    var lists: [Tensor] = []
    if let numbers = try node.floats("\(name)_floats"), !numbers.isEmpty {
      lists.append(Tensor([numbers.count], floats: numbers))
    }
    if let numbers = try node.ints("\(name)_int64s"), !numbers.isEmpty { lists.append(.shape(numbers)) }
    if let texts = try node.strings("\(name)_strings"), !texts.isEmpty {
      lists.append(Tensor([texts.count], strings: texts))
    }
    if let tensor = try node.tensor("\(name)_tensor") { lists.append(tensor) }
    guard lists.count == 1 else { throw Diagnostic("onnx.keys", "\(lists.count) attributes say the \(name)") }
    return lists[0]
  }
}

extension ONNXKeyTable {
  /// Texts and their numbers: the keys are what is of type `dtype`. Throws `onnx.keys`.
  init(_ node: ONNXNode, _ texts: [String], _ numbers: [Int], from dtype: DType) throws(Diagnostic) {
    let (words, places) = (Tensor([texts.count], strings: texts), Tensor.shape(numbers))
    let (keys, values) = dtype == .string ? (words, places) : (places, words)
    try self.init(keys, values, else: try Self.other(node, values.dtype))
  }

  /// The value of keys that are none, of type `dtype`.
  static func other(_ node: ONNXNode, _ dtype: DType) throws(Diagnostic) -> Tensor {
    if let tensor = try node.tensor("default_tensor") { return tensor }
    switch dtype {
    case .string: return Tensor([], strings: [try node.string("default_string", default: "_Unused")])
    case .int64: return .scalar(dtype, try node.int("default_int64", default: -1))
    case .float32: return .scalar(dtype, Double(try node.float("default_float", default: -0.0)))
    default: return .scalar(dtype, dtype.isFloat ? -0.0 : -1.0)
    }
  }
}
