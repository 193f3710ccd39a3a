import MLCCore
import MLCGraph

/// What a name of a model stands for. An optional that is known to hold something is what it holds.
package enum ONNXValue: Sendable {
  case tensor(ValueID)
  case sequence(ONNXSequence)
  /// Keys `K[n]`, none twice, and the value of each, `V[n]`.
  case map(keys: ValueID, values: ValueID)
  /// An optional that holds nothing.
  case nothing
  /// An optional of which only a run tells whether it holds `value`: `present` is a truth value of rank 0.
  indirect case optional(present: ValueID, ONNXValue)

  var tensor: ValueID? { if case .tensor(let value) = self { value } else { nil } }

  /// What diagnostics call it.
  var kind: String {
    switch self {
    case .tensor: "a tensor"
    case .sequence: "a sequence"
    case .map: "a map"
    case .nothing, .optional: "an optional"
    }
  }
}

/// The tensors of a sequence, which are of one element type.
package enum ONNXSequence: Sendable {
  /// As many as the model says.
  case list([ValueID], DType)
  /// Of one shape: the first axis of the tensor counts them.
  case stack(ValueID)
  /// Of one rank R: the elements of all, one tensor behind the other, `T[N]`, and `shapes: int64[count, R]`.
  case ragged(elements: ValueID, shapes: ValueID)
}
