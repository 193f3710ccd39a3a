import MLCCore

/// `value >= 0`, wherever each of `extents` is at least 1: checked when sizes are bound, before anything runs.
///
/// A model may leave a size open that only one number fits, as where a `split` into 1 and 3 cuts an axis of extent `n`.
package struct SizeRequirement: Hashable, Sendable {
  package var value: Dim
  /// Loops that, when one of them does not run, leave nothing to require.
  package var extents: [Dim]

  package init(_ value: Dim, extents: [Dim] = []) { (self.value, self.extents) = (value, extents) }

  /// The sizes that it is about.
  package var symbols: Set<String> { extents.reduce(into: value.symbols) { $0.formUnion($1.symbols) } }

  /// That `a` equals `b`.
  package static func equality(_ a: Dim, _ b: Dim) -> [SizeRequirement] {
    [SizeRequirement(a - b), SizeRequirement(b - a)]
  }

  /// Whether the sizes keep it; one that has no value does not.
  package func holds(_ sizes: [String: Int]) -> Bool {
    if extents.contains(where: { ($0.evaluate(sizes) ?? 1) < 1 }) { return true }
    return (value.evaluate(sizes) ?? -1) >= 0
  }
}
