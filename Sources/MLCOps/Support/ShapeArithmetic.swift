import MLCCore
import MLCGraph

extension Dim {
  /// A number this is never below, sizes being non-negative; `nil` when a term may be arbitrarily negative.
  package var lowerBound: Int? { termwiseBound ?? withoutFloors?.lowerBound }

  /// Something never above this, with k·(a − d + 1) for each k·d·⌊a / d⌋, and −k·a where k·d is taken away; `nil` when
  /// there is none.
  private var withoutFloors: Dim? {
    var result: Dim = 0
    var isSame = true
    for term in terms {
      let plain = term.atoms.reduce(Dim(term.coefficient)) { $0 * Dim($1) }
      guard term.atoms.count == 1, case .floorDiv(let a, let b) = term.atoms[0],
        let d = b.constant, d > 0, term.coefficient % d == 0
      else {
        result = result + plain
        continue
      }
      result = result + Dim(term.coefficient / d) * (term.coefficient > 0 ? a - Dim(d) + 1 : a)
      isSame = false
    }
    return isSame ? nil : result
  }

  private var termwiseBound: Int? {
    var bound = 0
    for term in terms {
      if term.atoms.isEmpty {
        bound += term.coefficient
      } else if term.coefficient < 0 || !term.atoms.allSatisfy({ $0.isNonNegative }) {
        return nil
      }
    }
    return bound
  }

  /// Whether `self < other`, `nil` when sizes decide.
  package func isLess(than other: Dim) -> Bool? {
    if let bound = (other - self).lowerBound, bound > 0 { return true }
    if let bound = (self - other).lowerBound, bound >= 0 { return false }
    return nil
  }

  /// Whether both are equal, `nil` when sizes decide.
  package func isEqual(to other: Dim) -> Bool? {
    if self == other { return true }
    return isLess(than: other) == true || other.isLess(than: self) == true ? false : nil
  }

  /// 1 where `self < other`, else 0.
  package func isLessIndicator(_ other: Dim) -> Dim { Dim.min(1, Dim.max(0, other - self)) }

  /// 1 where both differ, else 0.
  package func differsIndicator(_ other: Dim) -> Dim { Dim.min(1, Dim.max(self - other, other - self)) }

  /// The quotient rounded toward zero.
  package func truncatingDiv(_ divisor: Dim) -> Dim {
    if let exact = exactQuotient(divisor) { return exact }
    if let n = constant, let d = divisor.constant { return d == 0 ? 0 : Dim(n / d) }
    if let low = lowerBound, low >= 0, let d = divisor.lowerBound, d >= 0 { return floorDiv(divisor) }
    return Dim.max(floorDiv(divisor), 0) - Dim.max((-self).floorDiv(divisor), 0)
  }
}

extension Dim.Atom {
  fileprivate var isNonNegative: Bool {
    func holds(_ dim: Dim) -> Bool { dim.lowerBound.map { $0 >= 0 } ?? false }
    return switch self {
    case .symbol: true
    case .floorDiv(let a, let b): holds(a) && holds(b)
    case .max(let a, let b): holds(a) || holds(b)
    case .min(let a, let b): holds(a) && holds(b)
    }
  }
}

extension Fact {
  /// A fact with known elements: integers as dims, truth values as 0 and 1.
  package static func known(_ type: TensorType, _ elements: [Dim]?) -> Fact {
    var fact = Fact(type, elements: elements)
    if type.dtype == .bool, let numbers = fact.elements?.compactMap(\.constant), let shape = type.staticShape,
      numbers.count == fact.elements?.count
    {
      fact.value = Tensor(.bool, shape, numbers)
    }
    return fact
  }

  /// What is known after the elements at `indices` are picked into `shape`; `fill` stands at negative indices.
  package func picking(_ indices: () -> [Int], _ shape: [Dim], fill: Dim? = nil) -> Fact {
    let result = TensorType(dtype, shape)
    guard elements != nil || ratios != nil, let target = result.staticShape, let count = target.checkedProduct,
      count <= Fact.elementLimit
    else { return Fact(result) }
    let indices = indices()
    guard fill != nil || indices.allSatisfy({ $0 >= 0 }) else { return Fact(result) }
    if let ratios { return Fact(result, ratios: indices.map { $0 < 0 ? Ratio(fill!) : ratios[$0] }) }
    return .known(result, indices.map { $0 < 0 ? fill! : elements![$0] })
  }

  /// The same fact under another shape with as many elements.
  package func reshaped(_ shape: [Dim]) -> Fact {
    let type = TensorType(dtype, shape)
    var fact = ratios == nil ? Fact.known(type, elements) : Fact(type, ratios: ratios)
    if let value, let target = fact.type.staticShape, target.checkedProduct == value.count {
      fact.value = value.reshaped(target)
    }
    return fact
  }
}

extension Dim {
  /// The smaller, decided where sizes being non-negative decides it.
  package static func smallest(_ a: Dim, _ b: Dim) -> Dim {
    if let gap = (b - a).lowerBound, gap >= 0 { return a }
    if let gap = (a - b).lowerBound, gap >= 0 { return b }
    return Dim.min(a, b)
  }
  /// The larger, likewise.
  package static func largest(_ a: Dim, _ b: Dim) -> Dim {
    if let gap = (a - b).lowerBound, gap >= 0 { return a }
    if let gap = (b - a).lowerBound, gap >= 0 { return b }
    return Dim.max(a, b)
  }
}
