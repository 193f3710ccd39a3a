import MLCCore
import MLCGraph
import MLCOps

/// Imports an operator whose form in MIL is its schema: operands by the names of ports, parameters by those of
/// attributes.
enum MILGenericImport {
  static func name(_ type: String) -> String {
    let prefix = MILSpeller.extensionPrefix
    return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
  }

  /// Parameters that change nothing here: indices are always validated.
  private static let ignored: Set<String> = ["validate_indices"]

  static func convert(_ node: MILNode, in context: inout MILContext) throws(Diagnostic) -> [ValueID] {
    guard let type = OperatorSet.named(name(node.type)) else {
      throw Diagnostic("coreml.unsupported", "mlc has no operator \(node.type)", kind: .unsupported)
    }
    var op: any Operator = type.init()
    var inputs = [[ValueID]](repeating: [], count: type.ports.count)
    for name in node.arguments.keys.sorted() {
      if let port = type.portNames.firstIndex(of: name) {
        inputs[port] = try context.values(node, name)
      } else if type.attributeNames.contains(name) {
        try set(name, of: &op, node)
      } else if !ignored.contains(name) {
        throw Diagnostic("coreml.parameter", "mlc's \(node.type) has no parameter '\(name)'", kind: .unsupported)
      }
    }
    return try context.builder.append(op, inputs, names: node.outputs.map(\.name), origin: node.origin)
  }

  static func set(_ name: String, of op: inout any Operator, _ node: MILNode) throws(Diagnostic) {
    let tensor = try node.required(name)
    for candidate in tensor.asAttributes where op.setAttribute(name, candidate) { return }
    throw Diagnostic("coreml.parameter", "'\(name)' is \(tensor.type)")
  }
}
