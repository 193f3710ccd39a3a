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
  /// The elements of a small tensor of numbers that follow from sizes though they are no dims: floats, and integers
  /// that were floats before. Absent where `elements` or `value` says them.
  package var ratios: [Ratio]?

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
  /// What is known of elements that may be no whole numbers; whole numbers of an integer type become `elements`.
  package init(_ type: TensorType, ratios: [Ratio]?) {
    let whole = type.dtype.isInteger ? ratios?.compactMap(\.whole) : nil
    self.init(type, elements: whole?.count == ratios?.count ? whole : nil)
    if elements == nil, let ratios, ratios.count <= Fact.elementLimit { self.ratios = ratios }
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

  /// The elements, of whatever is known; `nil` for more than `elementLimit`.
  package var numbers: [Ratio]? {
    if let ratios { return ratios }
    if let elements { return elements.map { Ratio($0) } }
    guard let value, value.dtype == .float32 || value.dtype == .float64, value.count <= Fact.elementLimit else {
      return nil
    }
    let numbers = value.doubles.compactMap { Ratio($0) }
    return numbers.count == value.count ? numbers : nil
  }

  /// With dims in the place of names.
  package func substituting(_ sizes: [String: Dim]) -> Fact {
    if isConstant { return self }
    let type = type.substituting(sizes)
    if let elements { return Fact(type, elements: elements.map { $0.substituting(sizes) }) }
    let ratios = ratios?.compactMap { $0.substituting(sizes) }
    return Fact(type, ratios: ratios?.count == self.ratios?.count ? ratios : nil)
  }

  /// Whether the value is the same in every run.
  package var isConstant: Bool { value != nil || isCompressed }
  package var dtype: DType { type.dtype }
  package var shape: [Dim] { type.shape }
  package var rank: Int { type.shape.count }
}
