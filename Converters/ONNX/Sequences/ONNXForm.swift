import MLCCore
import MLCGraph
import MLCOps

/// In which tensors a value passes into the blocks of loops and branches, and out of them.
indirect enum ONNXForm: Hashable {
  /// Itself.
  case tensor(TensorType)
  /// A sequence without elements: in none.
  case empty(DType)
  /// A sequence whose elements have this type: in one, as `ONNXSequence.stack`.
  case stack(TensorType)
  /// A sequence of this element type and rank: in two, as `ONNXSequence.ragged`.
  case ragged(DType, rank: Int)
  /// An optional that holds nothing: in none.
  case nothing
  /// In a truth value, which says whether it is there, and what it is in; numbers of no meaning where it is not.
  case optional(ONNXForm)

  /// The form of what may have either. Throws `onnx.sequence`.
  func joined(_ other: ONNXForm) throws(Diagnostic) -> ONNXForm {
    if self == other { return self }
    switch (self, other) {
    case (.tensor(let a), .tensor(let b)) where a.dtype == b.dtype && a.rank == b.rank: return self
    case (.nothing, .optional): return other
    case (.optional, .nothing): return self
    case (.nothing, _): return .optional(other)
    case (_, .nothing): return .optional(self)
    case (.optional(let a), .optional(let b)): return .optional(try a.joined(b))
    case (.optional(let a), _): return .optional(try a.joined(other))
    case (_, .optional(let b)): return .optional(try joined(b))
    case (.empty(let dtype), .stack(let type)), (.stack(let type), .empty(let dtype)):
      if dtype == type.dtype { return type.staticShape == nil ? .ragged(dtype, rank: type.rank) : .stack(type) }
    case (.empty(let dtype), .ragged(let known, _)): if dtype == known { return other }
    case (.ragged(let known, _), .empty(let dtype)): if dtype == known { return self }
    default:
      if let a = ragged, a == other.ragged { return a }
    }
    throw Diagnostic("onnx.sequence", "here it is \(self) and there \(other)", kind: .unsupported)
  }

  /// The form for sequences of such elements, whatever their shapes.
  var ragged: ONNXForm? {
    switch self {
    case .stack(let type): .ragged(type.dtype, rank: type.rank)
    case .ragged: self
    case .optional(let inner): inner.ragged.map { .optional($0) }
    case .tensor, .empty, .nothing: nil
    }
  }

  var isTensor: Bool { if case .tensor = self { true } else { false } }
}

extension ONNXForm: CustomStringConvertible {
  var description: String {
    switch self {
    case .tensor(let type): "\(type)"
    case .empty(let dtype): "an empty sequence of \(dtype.rawValue)"
    case .stack(let type): "a sequence of \(type)"
    case .ragged(let dtype, let rank): "a sequence of \(dtype.rawValue) of rank \(rank)"
    case .nothing: "nothing"
    case .optional(let inner): "nothing or \(inner)"
    }
  }
}

extension ONNXContext {
  /// The form that says most of `value`. Throws `onnx.sequence` for a list of several ranks, and for a map.
  func form(_ value: ONNXValue) throws(Diagnostic) -> ONNXForm {
    switch value {
    case .tensor(let value): return .tensor(fact(value).type)
    case .sequence(.stack(let stack)): return .stack(fact(stack).element)
    case .sequence(.ragged(let elements, let shapes)):
      return .ragged(fact(elements).dtype, rank: try rank(ofShapes: shapes))
    case .sequence(.list(let values, let dtype)):
      guard let first = values.first.map({ fact($0).type }) else { return .empty(dtype) }
      if values.allSatisfy({ fact($0).type == first }) { return .stack(first) }
      guard values.allSatisfy({ fact($0).rank == first.rank }) else {
        throw Diagnostic("onnx.sequence", "the elements of a sequence differ in rank", kind: .unsupported)
      }
      return .ragged(dtype, rank: first.rank)
    case .map: throw Diagnostic("onnx.sequence", "a map passes into a block or out of it", kind: .unsupported)
    case .nothing: return .nothing
    case .optional(_, let inner): return .optional(try form(inner))
    }
  }

  /// The tensors of `value` in `form`, which is its own, or joined of it and others. Throws `onnx.sequence` where it is
  /// neither.
  mutating func tensors(of value: ONNXValue, in form: ONNXForm) throws(Diagnostic) -> [ValueID] {
    switch (value, form) {
    case (.tensor(let value), .tensor): return [value]
    case (.nothing, .nothing): return []
    case (.sequence(.list(let values, _)), .empty) where values.isEmpty: return []
    case (.sequence(let sequence), .stack(let type)): return [try stack(sequence, of: type)]
    case (.sequence(let sequence), .ragged(let dtype, let rank)):
      let (elements, shapes) = try ragged(sequence, dtype, rank)
      return [elements, shapes]
    case (.nothing, .optional(let inner)):
      return [constant(.scalar(.bool, 0), "present")] + (try blanks(inner))
    case (.optional(let present, let value), .optional(let inner)):
      return [present] + (try tensors(of: value, in: inner))
    case (_, .optional(let inner)): return [try truth()] + (try tensors(of: value, in: inner))
    default:
      let own = try self.form(value)
      throw Diagnostic("onnx.sequence", "\(own) comes where there was \(form)", kind: .unsupported)
    }
  }

  /// Tensors in `form` that mean nothing; open extents are 0.
  private mutating func blanks(_ form: ONNXForm) throws(Diagnostic) -> [ValueID] {
    switch form {
    case .tensor(let type): return [try zeros(type.dtype, type.shape.map { $0.constant ?? 0 })]
    case .stack(let type): return [try zeros(type.dtype, [0] + type.shape.map { $0.constant ?? 0 })]
    case .ragged(let dtype, let rank): return [try zeros(dtype, [0]), try zeros(.int64, [0, rank])]
    case .empty, .nothing: return []
    case .optional(let inner): return [constant(.scalar(.bool, 0), "present")] + (try blanks(inner))
    }
  }

  /// Zeros, or empty texts, that take no memory before the model runs. Throws `graph.tensor-size`.
  mutating func zeros(_ dtype: DType, _ shape: [Int]) throws(Diagnostic) -> ValueID {
    try zeros(dtype, shape.map { Dim($0) }, sources: [], "onnx.sequence")
  }

  /// What the next of `tensors` are in `form`.
  func value(in form: ONNXForm, from tensors: inout ArraySlice<ValueID>) -> ONNXValue {
    switch form {
    case .tensor: return .tensor(tensors.removeFirst())
    case .empty(let dtype): return .sequence(.list([], dtype))
    case .stack: return .sequence(.stack(tensors.removeFirst()))
    case .ragged:
      let elements = tensors.removeFirst()
      return .sequence(.ragged(elements: elements, shapes: tensors.removeFirst()))
    case .nothing: return .nothing
    case .optional(let inner):
      let present = tensors.removeFirst()
      return .optional(present: present, value(in: inner, from: &tensors))
    }
  }

  /// What `tensors` are in `forms`, one behind the other.
  func values(in forms: [ONNXForm], from tensors: [ValueID]) -> [ONNXValue] {
    var rest = tensors[...]
    return forms.map { value(in: $0, from: &rest) }
  }

  /// How many numbers a row of `shapes` has.
  func rank(ofShapes shapes: ValueID) throws(Diagnostic) -> Int {
    guard let rank = fact(shapes).shape.last?.constant else {
      throw Diagnostic("onnx.sequence", "the rank of a sequence's elements is not known", kind: .unsupported)
    }
    return rank
  }
}

extension Fact {
  /// The type of an element along the first axis.
  fileprivate var element: TensorType { TensorType(dtype, Array(shape.dropFirst())) }
}
