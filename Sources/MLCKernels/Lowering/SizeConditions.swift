import MLCCore

extension LoweringContext {
  /// Requires of the sizes that the inputs bind that `a` equals `b`: inference lets pass what only an open size may break.
  ///
  /// On one side of a branch nothing is required, since the condition may keep sizes that do not fit away.
  mutating func requireEqual(_ a: Dim, _ b: Dim) {
    if a != b { require([a - b, b - a]) }
  }

  /// Requires that `own` broadcasts to `shape`: aligned at the last axis, each extent is 1 or the shape's.
  mutating func requireBroadcast(_ own: [Dim], to shape: [Dim]) {
    for (extent, target) in zip(own.reversed(), shape.reversed()) where extent != target && extent != 1 {
      let difference = (extent - 1) * (target - extent)
      require([difference, difference * -1])
    }
  }

  private mutating func require(_ values: [Dim]) {
    if nesting > 0 { return }
    for value in values where value.constant == nil && value.symbols.isSubset(of: program.symbols) {
      let item = SizeRequirement(value)
      if !program.requirements.contains(item) { program.requirements.append(item) }
    }
  }
}
