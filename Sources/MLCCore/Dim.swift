/// One extent of a shape, in elements: an integer polynomial over named sizes.
///
/// `3`, `batch`, `2*w + 1` and `(h + 1) // 2` are dims. Equal polynomials are equal dims: every operation keeps the
/// canonical form (terms sorted, like terms added), so shape checks on symbolic sizes are plain equality. Sizes are
/// assumed non-negative. Arithmetic saturates at ±2⁶⁰, far above any size that a tensor may have.
package struct Dim: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// A factor that is not a number.
  package indirect enum Atom: Hashable, Sendable {
    case symbol(String)
    /// ⌊a / b⌋
    case floorDiv(Dim, Dim)
    case max(Dim, Dim)
    case min(Dim, Dim)
  }

  /// `coefficient · atoms[0] · atoms[1] · …`; no atoms for the constant term.
  package struct Term: Hashable, Sendable {
    package var coefficient: Int, atoms: [Atom]
  }

  package private(set) var terms: [Term]

  package init(_ value: Int) { terms = value == 0 ? [] : [Term(coefficient: Dim.clamp(value), atoms: [])] }
  package init(integerLiteral value: Int) { self.init(value) }
  package init(stringLiteral name: String) { self.init(.symbol(name)) }
  package init(_ atom: Atom) { terms = [Term(coefficient: 1, atoms: [atom])] }
  package static func symbol(_ name: String) -> Dim { Dim(.symbol(name)) }

  private init(canonical terms: [Term]) {
    var sums: [[Atom]: Int] = [:]
    for term in terms {
      sums[term.atoms] = Dim.clamp(sums[term.atoms, default: 0] &+ term.coefficient)
    }
    self.terms = sums.filter { $0.value != 0 }.map { Term(coefficient: $0.value, atoms: $0.key) }
    self.terms.sort { Dim.precedes($0.atoms, $1.atoms) }
  }

  /// The number, when no symbol is left.
  package var constant: Int? {
    if terms.isEmpty { return 0 }
    return terms.count == 1 && terms[0].atoms.isEmpty ? terms[0].coefficient : nil
  }

  /// Whether a number in it is ±2⁶⁰, and so stands for anything beyond.
  package var isSaturated: Bool { terms.contains { $0.coefficient.magnitude == Dim.limit } }

  /// The name, when this is a bare symbol.
  package var symbol: String? {
    guard terms.count == 1, terms[0].coefficient == 1, terms[0].atoms.count == 1,
      case .symbol(let name) = terms[0].atoms[0]
    else { return nil }
    return name
  }

  /// Every name in it.
  package var symbols: Set<String> {
    terms.reduce(into: []) { names, term in for atom in term.atoms { names.formUnion(atom.symbols) } }
  }

  private static let limit = 1 << 60
  private static func clamp(_ value: Int) -> Int { Swift.max(-limit, Swift.min(limit, value)) }
  private static func product(_ a: Int, _ b: Int) -> Int {
    let (value, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? ((a < 0) == (b < 0) ? limit : -limit) : clamp(value)
  }
  /// Longer products first, then by spelling: the order in which terms print.
  static func precedes(_ a: [Atom], _ b: [Atom]) -> Bool {
    if a.count != b.count { return a.count > b.count }
    return a.map(\.description).lexicographicallyPrecedes(b.map(\.description))
  }

  package static func + (a: Dim, b: Dim) -> Dim { Dim(canonical: a.terms + b.terms) }
  package static func - (a: Dim, b: Dim) -> Dim { a + b * Dim(-1) }
  package static prefix func - (a: Dim) -> Dim { a * Dim(-1) }
  package static func * (a: Dim, b: Dim) -> Dim {
    var products: [Term] = []
    for x in a.terms {
      for y in b.terms {
        let atoms = (x.atoms + y.atoms).sorted { $0.description < $1.description }
        products.append(Term(coefficient: product(x.coefficient, y.coefficient), atoms: atoms))
      }
    }
    return Dim(canonical: products)
  }
}

// MARK: Division

extension Dim {
  /// `self / divisor` when it divides exactly as a polynomial.
  package func exactQuotient(_ divisor: Dim) -> Dim? {
    if self == divisor { return divisor == 0 ? nil : 1 }
    if self == 0 { return divisor == 0 ? nil : 0 }
    guard let lead = divisor.terms.first else { return nil }
    var rest = self
    var quotient: Dim = 0
    for _ in 0..<16 {
      guard let top = rest.terms.first else { return quotient }
      guard top.coefficient.isMultiple(of: lead.coefficient) else { return nil }
      var atoms = top.atoms
      for atom in lead.atoms {
        guard let index = atoms.firstIndex(of: atom) else { return nil }
        atoms.remove(at: index)
      }
      let part = Dim(canonical: [Term(coefficient: top.coefficient / lead.coefficient, atoms: atoms)])
      quotient = quotient + part
      rest = rest - part * divisor
    }
    return rest == 0 ? quotient : nil
  }

  /// ⌊self / divisor⌋. Terms that the divisor divides leave the floor. A zero divisor gives an unevaluated quotient.
  package func floorDiv(_ divisor: Dim) -> Dim {
    if divisor == 1 { return self }
    if let exact = exactQuotient(divisor) { return exact }
    if let d = divisor.constant, d > 0 {
      if let n = constant { return Dim(floorDivide(n, d)) }
      var whole: [Term] = []
      var rest: [Term] = []
      for term in terms {
        let q = floorDivide(term.coefficient, d)
        let r = term.coefficient - q * d
        if q != 0 { whole.append(Term(coefficient: q, atoms: term.atoms)) }
        if r != 0 { rest.append(Term(coefficient: r, atoms: term.atoms)) }
      }
      let remainder = Dim(canonical: rest)
      if let n = remainder.constant { return Dim(canonical: whole) + Dim(floorDivide(n, d)) }
      return Dim(canonical: whole) + Dim(.floorDiv(remainder, divisor))
    }
    return Dim(.floorDiv(self, divisor))
  }

  /// ⌈self / divisor⌉
  package func ceilDiv(_ divisor: Dim) -> Dim { (self + divisor - 1).floorDiv(divisor) }
  package func mod(_ divisor: Dim) -> Dim { self - floorDiv(divisor) * divisor }

  private func floorDivide(_ n: Int, _ d: Int) -> Int { n / d - (n % d < 0 ? 1 : 0) }
}

// MARK: Values

extension Dim {
  /// The number this stands for, `nil` when a name is unbound or a divisor is not positive.
  package func evaluate(_ bindings: [String: Int]) -> Int? {
    var sum = 0
    for term in terms {
      var product = term.coefficient
      for atom in term.atoms {
        guard let value = atom.evaluate(bindings) else { return nil }
        product = Dim.product(product, value)
      }
      sum = Dim.clamp(sum + product)
    }
    return sum
  }

  /// Replaces names by dims.
  package func substituting(_ bindings: [String: Dim]) -> Dim {
    if bindings.isEmpty || constant != nil { return self }
    return terms.reduce(0) { sum, term in
      sum + term.atoms.reduce(Dim(term.coefficient)) { $0 * $1.substituting(bindings) }
    }
  }
}

extension Dim.Atom: CustomStringConvertible {
  package var symbols: Set<String> {
    switch self {
    case .symbol(let name): [name]
    case .floorDiv(let a, let b), .max(let a, let b), .min(let a, let b): a.symbols.union(b.symbols)
    }
  }

  package var description: String {
    switch self {
    case .symbol(let name): Dim.spelling(name)
    case .floorDiv(let a, let b): "floor(\(a), \(b))"
    case .max(let a, let b): "max(\(a), \(b))"
    case .min(let a, let b): "min(\(a), \(b))"
    }
  }

  func evaluate(_ bindings: [String: Int]) -> Int? {
    switch self {
    case .symbol(let name): return bindings[name]
    case .floorDiv(let a, let b):
      guard let n = a.evaluate(bindings), let d = b.evaluate(bindings), d > 0 else { return nil }
      return n / d - (n % d < 0 ? 1 : 0)
    case .max(let a, let b):
      guard let x = a.evaluate(bindings), let y = b.evaluate(bindings) else { return nil }
      return Swift.max(x, y)
    case .min(let a, let b):
      guard let x = a.evaluate(bindings), let y = b.evaluate(bindings) else { return nil }
      return Swift.min(x, y)
    }
  }

  func substituting(_ bindings: [String: Dim]) -> Dim {
    switch self {
    case .symbol(let name): bindings[name] ?? Dim(self)
    case .floorDiv(let a, let b): a.substituting(bindings).floorDiv(b.substituting(bindings))
    case .max(let a, let b): Dim.max(a.substituting(bindings), b.substituting(bindings))
    case .min(let a, let b): Dim.min(a.substituting(bindings), b.substituting(bindings))
    }
  }
}

extension Dim: CustomStringConvertible {
  /// Names made of letters, digits, `_` and `.`, not starting with a digit, print bare; others in back-quotes, and
  /// there a backslash doubled, a back-quote and what is not printable escaped as in Swift.
  static func spelling(_ name: String) -> String {
    if isPlain(name) { return name }
    return name.unicodeScalars.reduce(into: "`") { text, scalar in
      switch scalar {
      case "\\": text += "\\\\"
      case "`": text += "\\u{60}"
      default: if scalar.isPrintable { text.unicodeScalars.append(scalar) } else { text += scalar.escaped }
      }
    } + "`"
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    if ["floor", "max", "min"].contains(name) { return false }
    return name.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_" || $0 == "."
    }
  }

  /// `2*w + 1`, `h*w`, `floor(h + 1, 2)`.
  package var description: String {
    if terms.isEmpty { return "0" }
    var text = ""
    for (index, term) in terms.enumerated() {
      let magnitude = term.coefficient.magnitude
      if index == 0 { text += term.coefficient < 0 ? "-" : "" } else { text += term.coefficient < 0 ? " - " : " + " }
      var factors = term.atoms.map(\.description)
      if magnitude != 1 || factors.isEmpty { factors.insert("\(magnitude)", at: 0) }
      text += factors.joined(separator: "*")
    }
    return text
  }
}
