import MLCCore

/// What is known of a value before the program runs.
package struct Fact: Sendable {
  package var type: TensorType
  /// The value itself, when it is a constant.
  package var value: Tensor?
  /// Whether the value is the result of a `ConstantExpression`: the same in every run, though not computed here.
  package var isCompressed = false
  /// The elements of a small integer tensor as dims, row-major: what `shape` yields and `reshape` consumes when sizes
  /// are symbolic. Present whenever it can be; constants of up to `Fact.elementLimit` integers always have it. An
  /// element that `isSaturated` stands for a number of that size or beyond.
  package var elements: [Dim]?

  package static let elementLimit = 64

  package init(_ type: TensorType, elements: [Dim]? = nil) {
    self.type = type
    guard let elements, elements.count <= Fact.elementLimit else { return }
    self.elements = elements
    let numbers = elements.compactMap(\.constant)
    if numbers.count == elements.count, !elements.contains(where: { $0.isSaturated }), type.dtype.isInteger,
      let shape = type.staticShape
    {
      value = Tensor(type.dtype, shape, numbers)
    }
  }
  package init(_ dtype: DType, _ shape: [Dim], elements: [Dim]? = nil) {
    self.init(TensorType(dtype, shape), elements: elements)
  }
  package init(_ value: Tensor) {
    type = value.type
    self.value = value
    if value.dtype.isInteger || value.dtype == .bool, value.count <= Fact.elementLimit {
      elements = value.integers.map { Dim($0) }
    }
  }

  /// The result of a `ConstantExpression`.
  package init(compressed dtype: DType, _ shape: [Int]) {
    type = TensorType(dtype, shape)
    isCompressed = true
  }

  /// Whether the value is the same in every run.
  package var isConstant: Bool { value != nil || isCompressed }
  package var dtype: DType { type.dtype }
  package var shape: [Dim] { type.shape }
  package var rank: Int { type.shape.count }
}
