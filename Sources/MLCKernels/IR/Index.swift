import MLCCore

/// One loop of a kernel: `0 ..< extent`. `id` is unique within the kernel.
package struct Axis: Hashable, Sendable {
  package var id: Int, extent: Dim
  package init(_ id: Int, _ extent: Dim) { (self.id, self.extent) = (id, extent) }
}

/// An integer over loop variables and sizes: where a load or a store goes along one dimension.
package indirect enum Index: Hashable, Sendable {
  case dim(Dim)
  case axis(Int)
  case sum(Index, Index)
  case product(Index, Dim)
  case floorDiv(Index, Dim)
  case mod(Index, Dim)
  /// Computed from data, an integer scalar. The emitter clamps it to the dimension it indexes.
  case value(Scalar)

  package static func constant(_ value: Int) -> Index { .dim(Dim(value)) }

  package static func + (a: Index, b: Index) -> Index {
    switch (a, b) {
    case (.dim(let x), .dim(let y)): .dim(x + y)
    case (.dim(0), _): b
    case (_, .dim(0)): a
    case (.dim, _): .sum(b, a)
    case (.sum(let c, .dim(let x)), .dim(let y)): c + .dim(x + y)
    default: .sum(a, b)
    }
  }
  package static func * (a: Index, b: Dim) -> Index {
    switch (a, b) {
    case (.dim(let x), _): .dim(x * b)
    case (_, 1): a
    case (_, 0): .dim(0)
    case (.product(let c, let x), _): .product(c, x * b)
    default: .product(a, b)
    }
  }
  package func dividedFloor(by divisor: Dim) -> Index {
    if divisor == 1 { return self }
    if case .dim(let x) = self { return .dim(x.floorDiv(divisor)) }
    return .floorDiv(self, divisor)
  }
  package func modulo(_ divisor: Dim) -> Index {
    if divisor == 1 { return .dim(0) }
    if case .dim(let x) = self { return .dim(x.mod(divisor)) }
    return .mod(self, divisor)
  }
}

/// `Σ coefficient·axis + rest`: an index without division, remainder or data.
package struct AffineIndex: Hashable, Sendable {
  package var coefficients: [Int: Dim]
  package var rest: Dim
}

extension Index {
  /// This as an affine form over the axes, or `nil`.
  package var affine: AffineIndex? {
    switch self {
    case .dim(let d): return AffineIndex(coefficients: [:], rest: d)
    case .axis(let id): return AffineIndex(coefficients: [id: 1], rest: 0)
    case .sum(let a, let b):
      guard var x = a.affine, let y = b.affine else { return nil }
      x.coefficients.merge(y.coefficients) { $0 + $1 }
      x.coefficients = x.coefficients.filter { $0.value != 0 }
      x.rest = x.rest + y.rest
      return x
    case .product(let a, let d):
      guard var x = a.affine else { return nil }
      x.coefficients = x.coefficients.mapValues { $0 * d }
      x.rest = x.rest * d
      return x
    case .floorDiv, .mod, .value: return nil
    }
  }

  /// Replaces axes by indices.
  package func substituting(_ axes: [Int: Index]) -> Index {
    switch self {
    case .dim: self
    case .axis(let id): axes[id] ?? self
    case .sum(let a, let b): a.substituting(axes) + b.substituting(axes)
    case .product(let a, let d): a.substituting(axes) * d
    case .floorDiv(let a, let d): a.substituting(axes).dividedFloor(by: d)
    case .mod(let a, let d): a.substituting(axes).modulo(d)
    case .value(let s): .value(s.substituting(axes))
    }
  }
}

extension Index {
  /// Whether the axis occurs in it.
  package func mentions(_ axis: Int) -> Bool {
    switch self {
    case .dim: false
    case .axis(let id): id == axis
    case .sum(let a, let b): a.mentions(axis) || b.mentions(axis)
    case .product(let a, _), .floorDiv(let a, _), .mod(let a, _): a.mentions(axis)
    case .value(let s):
      s.loads.contains { $0.index.contains { $0.mentions(axis) } }
    }
  }
}
