import MLCCore
import MLCGraph

/// Inputs and outputs of the model that are no tensors, as tensors of the program.
///
/// A sequence NAME is `NAME.elements: T[N]`, the elements of all of its tensors one behind the other, and `NAME.shapes:
/// int64[count, rank]`; one that is given, and whose count the model fixes, is `NAME.0`, `NAME.1`, … A map NAME is
/// `NAME.keys: K[count]`, none of them twice, and `NAME.values: V[count]`. An optional NAME
/// has a truth value `NAME.present` beside that, and numbers of no meaning where it is not there.
extension ONNXImporter {
  /// Adds `input` to the program. Throws `onnx.input-type` for what has no type that mlc takes.
  func addPort(_ input: ONNXValueInfo, _ sizes: [String: Dim], to context: inout ONNXContext) throws(Diagnostic) {
    var type = try type(of: input)
    type = type.substituting(sizes)
    if let bound = bindings[input.name] { type.shape = bound.shape.named(input.name, as: input.type?.shape, sizes) }
    let name = input.name
    var value: ONNXValue
    if input.isSequence {
      let open = (elements: Dim.symbol("\(name)_elements"), count: Dim.symbol("\(name)_count"))
      let elements = context.builder.input("\(name).elements", TensorType(type.dtype, [open.elements]))
      let shapes = context.builder.input("\(name).shapes", TensorType(.int64, [open.count, Dim(type.rank)]))
      value = .sequence(.ragged(elements: elements, shapes: shapes))
      context.notes.append("sequence '\(name)' is taken as '\(name).elements' and '\(name).shapes'")
    } else if let keys = input.keys {
      let count = [Dim.symbol("\(name)_count")]
      value = .map(
        keys: context.builder.input("\(name).keys", TensorType(keys, count)),
        values: context.builder.input("\(name).values", TensorType(type.dtype, count))
      )
      context.notes.append("map '\(name)' is taken as '\(name).keys' and '\(name).values'")
    } else {
      value = .tensor(context.builder.input(name, type))
    }
    if input.isOptional {
      let present = context.builder.input("\(name).present", TensorType(.bool, [Dim]()))
      value = .optional(present: present, value)
      context.notes.append("optional '\(name)' has '\(name).present' beside it")
    }
    context.define(name, value)
  }

  /// What the program gives for `value`, by name.
  func ports(_ name: String, _ value: ONNXValue, in context: inout ONNXContext)
    throws(Diagnostic) -> [(name: String, value: ValueID)]
  {
    switch value {
    case .tensor(let tensor): return [(name, tensor)]
    case .map(let keys, let values): return [("\(name).keys", keys), ("\(name).values", values)]
    case .nothing: return [("\(name).present", context.constant(.scalar(.bool, 0), "present"))]
    case .optional(let present, let inner):
      return [("\(name).present", present)] + (try ports(name, inner, in: &context))
    case .sequence(.list(let values, _)) where !values.isEmpty:
      return values.enumerated().map { ("\(name).\($0)", $1) }
    case .sequence(let sequence):
      let (dtype, rank) = try elementType(sequence, in: context)
      let (elements, shapes) = try context.ragged(sequence, dtype, rank)
      return [("\(name).elements", elements), ("\(name).shapes", shapes)]
    }
  }

  /// Element type and rank of what `sequence` holds; a list of none is said to hold scalars.
  private func elementType(_ sequence: ONNXSequence, in context: ONNXContext) throws(Diagnostic) -> (DType, Int) {
    switch try context.form(.sequence(sequence)) {
    case .stack(let type): (type.dtype, type.rank)
    case .ragged(let dtype, let rank): (dtype, rank)
    case .empty(let dtype): (dtype, 0)
    case .tensor, .nothing, .optional: preconditionFailure("a sequence is none of these")
    }
  }
}
