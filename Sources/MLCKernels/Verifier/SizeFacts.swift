import MLCCore
import MLCOps

/// What is known of sizes at a step: which late ones are set, to what, and sizes to try where nothing is proved.
struct SizeFacts: Sendable {
  /// Sizes with a value at this step.
  private(set) var bound: Set<String>
  /// Late sizes that equal others on this side of a branch, or behind a check.
  private(set) var values: [String: Dim] = [:]
  private let late: [KernelProgram.LateSize]
  /// Sizes that a run may have: every extent is at least zero, requirements hold, and reshaped tensors
  /// keep their elements.
  private(set) var samples: [[String: Int]]

  init(_ program: KernelProgram) {
    bound = program.knownSizes.union(program.symbols)
    late = program.lateSymbols
    samples = SizeFacts.samples(program)
  }

  mutating func bind(_ name: String) { bound.insert(name) }
  mutating func set(_ name: String, to value: Dim) {
    bound.insert(name)
    values[name] = value
  }
  /// From here on sizes keep `items`.
  mutating func hold(_ items: [SizeRequirement]) {
    for item in items where item.extents.isEmpty && items.contains(SizeRequirement(0 - item.value)) {
      let solutions = late.lazy.reversed().compactMap { item.value.solved(for: $0.name) }
      guard let (name, value) = solutions.first else { continue }
      values = values.mapValues { $0.substituting([name: value]) }
      values[name] = resolved(value)
    }
    samples = samples.filter { sample in items.allSatisfy { $0.holds(sample) } }
  }
  /// Late sizes may have changed.
  mutating func forget() { values = [:] }
  /// Behind a branch late sizes keep what both sides know: that they have a value.
  mutating func leaveBranch(_ before: SizeFacts) { values = before.values }

  func resolved(_ dim: Dim) -> Dim { dim.substituting(values) }

  /// Whether `dim >= 0` for all sizes, where every size in `positive` is at least 1.
  func isNonNegative(_ dim: Dim, positive: Set<String> = []) -> Bool {
    let dim = resolved(dim)
    if let number = dim.constant { return number >= 0 }
    if holds(dim, positive) { return true }
    let lowered = withLateBounds(dim.withoutNegativeFloors)
    return lowered != dim && holds(lowered, positive)
  }

  private func holds(_ dim: Dim, _ positive: Set<String>) -> Bool {
    let raised = Dictionary(uniqueKeysWithValues: positive.map { ($0, Dim.symbol($0) + 1) })
    return (dim.substituting(raised).lowerBound ?? -1) >= 0
  }

  /// Something never above `dim`: a late size that only lowers it at its bound.
  private func withLateBounds(_ dim: Dim) -> Dim {
    var dim = dim
    for size in late.reversed() where values[size.name] == nil {
      let terms = dim.terms.filter { $0.atoms.contains(.symbol(size.name)) }
      if !terms.isEmpty, terms.allSatisfy({ $0.coefficient < 0 }) { dim = dim.substituting([size.name: size.bound]) }
    }
    return dim
  }

  // MARK: Samples

  private static let plain = [1, 2, 3, 5, 8, 16, 0]
  /// Tensors of many open extents stay of a size that numbers hold.
  private static let largeOpen = 1024

  private static func samples(_ program: KernelProgram) -> [[String: Int]] {
    let names = program.symbols
    if names.isEmpty && program.lateSymbols.isEmpty { return [[:]] }
    var found: [[String: Int]] = []
    let constants = program.requirements.flatMap { $0.value.terms }.filter { $0.atoms.isEmpty }
    let wanted = Set(constants.map { Int($0.coefficient.magnitude) }.filter { $0 < 1 << 20 }).sorted().prefix(8)
    for number in plain + wanted { found.append(Dictionary(uniqueKeysWithValues: names.map { ($0, number) })) }
    for round in 1...6 {
      found.append(
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, 1 + ($0 * 7 + round * 5) % (4 + 6 * round)) })
      )
    }
    return found.flatMap { sizes in
      program.lateSymbols.isEmpty ? [sizes] : [1, 0, .max].map { withLate(sizes, program, $0) }
    }.filter { isPossible($0, program) }
  }

  private static func withLate(_ sizes: [String: Int], _ program: KernelProgram, _ wanted: Int) -> [String: Int] {
    var sizes = sizes
    for late in program.lateSymbols {
      let most = late.isOpen ? largeOpen : max(late.bound.evaluate(sizes) ?? 0, 0)
      sizes[late.name] = min(wanted, most)
    }
    return sizes
  }

  private static func isPossible(_ sizes: [String: Int], _ program: KernelProgram) -> Bool {
    program.requirements.allSatisfy { $0.holds(sizes) }
      && program.tensors.allSatisfy { tensor in
        guard tensor.shape.allSatisfy({ ($0.evaluate(sizes) ?? -1) >= 0 }) else { return false }
        guard case .alias(let target) = tensor.kind else { return true }
        func count(_ shape: [Dim]) -> Int? { shape.reduce(1, *).evaluate(sizes) }
        return count(tensor.shape) == count(program[target].shape)
      }
  }
}

extension Dim {
  /// The late size `name` and what it is where this is zero, if it is a term by itself.
  fileprivate func solved(for name: String) -> (String, Dim)? {
    let own = Dim.symbol(name)
    for sign in [1, -1] where terms.contains(where: { $0.coefficient == sign && $0.atoms == [.symbol(name)] }) {
      let rest = own - self * Dim(sign)
      return rest.symbols.contains(name) ? nil : (name, rest)
    }
    return nil
  }

  /// Something never above this, with −k·a for each −k·d·⌊a / d⌋.
  fileprivate var withoutNegativeFloors: Dim {
    terms.reduce(0) { sum, term in
      if term.atoms.count == 1, term.coefficient < 0, case .floorDiv(let a, let b) = term.atoms[0],
        let d = b.constant, d > 0, term.coefficient.isMultiple(of: d)
      {
        return sum + a * Dim(term.coefficient / d)
      }
      return sum + term.atoms.reduce(Dim(term.coefficient)) { $0 * Dim($1) }
    }
  }
}
