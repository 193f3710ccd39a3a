import CoreMLProto
import MLCGraph

/// A constant that is written as a part of a compressed one, by the name of that and the part's own.
enum MILCompressedPart {
  /// Stands in no name of MIL.
  static let mark = "#"

  static func name(_ constant: String, _ part: String) -> String { constant + mark + part }

  /// Enters the parts that `operation` holds, as attributes or as arguments in place.
  static func collect(_ operation: MILOperation, into constants: inout [String: MILValue]) {
    guard operation.type.hasPrefix("constexpr_"), let output = operation.outputs.first else { return }
    for (part, value) in operation.attributes { constants[name(output.name, part)] = value }
    for (part, argument) in operation.inputs {
      if case .value(let value)? = argument.arguments.first?.binding { constants[name(output.name, part)] = value }
    }
  }
}

extension Function {
  /// The constants that nothing but compressed constants read.
  var compressedParts: Set<ValueID> {
    var (parts, others) = (Set<ValueID>(), Set(body.outputs))
    func walk(_ block: Block) {
      for operation in block.operations {
        let inputs = operation.inputs.joined()
        if operation.isConstantExpression { parts.formUnion(inputs) } else { others.formUnion(inputs) }
        for nested in operation.blocks {
          others.formUnion(nested.outputs)
          walk(nested)
        }
      }
    }
    walk(body)
    return parts.subtracting(others)
  }
}
