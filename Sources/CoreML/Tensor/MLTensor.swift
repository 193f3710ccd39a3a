/// An array of numbers or truth values of any rank, as a value that is computed when somebody asks for it.
///
/// Operations check shapes and types at once and compute nothing: they answer a tensor that knows what it is made of.
/// `shapedArray(of:)` and predictions compute it, off the caller's thread and on all cores: once, however many tensors
/// are made of it. Chains of element-wise operations are computed together, block by block.
///
/// Shapes are broadcast by numpy's rules. Axes may be counted from the last, -1. Two tensors that meet have the same
/// scalar type; scalars that meet a tensor take its type, integers truncating toward zero. `Float16` is computed in
/// `Float` and rounded after each operation; integers wrap around. Operands that do not fit are a precondition
/// failure.
public struct MLTensor: Sendable {
  let handle: TensorHandle
  var node: TensorNode { handle.node }

  init(_ node: TensorNode, literal: Double? = nil) { handle = TensorHandle(node, literal: literal) }

  /// The tensor that `work` makes of `inputs`.
  init(_ shape: [Int], _ kind: ScalarKind, _ work: TensorWork, _ inputs: [MLTensor] = []) {
    self.init(TensorNode(shape, kind, work, inputs.map { $0.node }))
  }

  var kind: ScalarKind { node.kind }

  /// The size of each axis.
  public var shape: [Int] { node.shape }
  /// How many axes there are; 0 for a scalar.
  public var rank: Int { node.shape.count }
  /// How many elements there are.
  public var scalarCount: Int { node.count }
  /// Whether the tensor has no axes.
  public var isScalar: Bool { node.shape.isEmpty }
  /// The type of the elements.
  public var scalarType: any MLTensorScalar.Type { node.kind.scalarType }

  /// The elements, computed now if they are not. The array shares the tensor's memory until it is written. A
  /// precondition that `scalarType` is the tensor's.
  public func shapedArray<Scalar>(of scalarType: Scalar.Type) async -> MLShapedArray<Scalar>
  where Scalar: MLShapedArrayScalar, Scalar: MLTensorScalar {
    precondition(kind.scalarType == scalarType, "the tensor's elements are \(kind.scalarType), not \(scalarType)")
    let value = await TensorEvaluator.value(of: node)
    guard let layout = ArrayLayout(value.shape, width: value.kind.width) else {
      preconditionFailure("no array can have the shape \(value.shape)")
    }
    let memory = ShapedMemory(value.base, isBorrowed: true) { _ in withExtendedLifetime(value.memory) {} }
    return MLShapedArray(_buffer: _MLShapedBuffer(memory, layout))
  }

  // MARK: What operations share

  /// The axis, counted from the first.
  func axis(_ axis: Int, of rank: Int? = nil, _ operation: String) -> Int {
    let rank = rank ?? self.rank
    precondition((-rank..<rank).contains(axis), "\(operation): axis \(axis) of a tensor with \(rank) axes")
    return axis < 0 ? axis + rank : axis
  }

  /// The axes in ascending order, counted from the first; a precondition that none is named twice.
  func axes(_ axes: [Int], of rank: Int? = nil, _ operation: String) -> [Int] {
    let sorted = axes.map { axis($0, of: rank, operation) }.sorted()
    precondition(zip(sorted, sorted.dropFirst()).allSatisfy { $0 != $1 }, "\(operation): \(axes) name an axis twice")
    return sorted
  }

  /// The shape that both shapes are broadcast to.
  static func broadcast(_ a: [Int], _ b: [Int], _ operation: String) -> [Int] {
    if a == b { return a }
    let rank = Swift.max(a.count, b.count)
    let (longA, longB) = (ones(rank - a.count) + a, ones(rank - b.count) + b)
    return zip(longA, longB).map { x, y in
      precondition(x == y || x == 1 || y == 1, "\(operation): the shapes \(a) and \(b) do not fit")
      return x == 1 ? y : x
    }
  }

  private static func ones(_ count: Int) -> [Int] { Array(repeating: 1, count: count) }

  /// A tensor without axes of `kind`.
  static func scalar(_ number: Double, _ kind: ScalarKind) -> MLTensor { MLTensor([], kind, .fill(kind.lane(number))) }

  /// Literals take on the type of what they meet: whole numbers any but `Bool`, others that of floats.
  func adapted(to other: MLTensor) -> MLTensor {
    guard kind != other.kind, other.kind != .bool, let literal = handle.literal else { return self }
    return kind == .int32 || other.kind.isFloat ? MLTensor.scalar(literal, other.kind) : self
  }

  /// Both operands, of one type and a common shape.
  static func matched(_ lhs: MLTensor, _ rhs: MLTensor, _ operation: String) -> (MLTensor, MLTensor, [Int]) {
    let (a, b) = (lhs.adapted(to: rhs), rhs.adapted(to: lhs))
    precondition(
      a.kind == b.kind,
      "\(operation): the elements of the tensors are \(a.scalarType) and \(b.scalarType); cast one of them"
    )
    return (a, b, broadcast(a.shape, b.shape, operation))
  }
}
