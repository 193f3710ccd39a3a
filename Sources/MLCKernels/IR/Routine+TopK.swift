import MLCCore

extension Routine {
  /// The first `count` of each line of x in falling or rising order. Stored are values and int32 or int64 indices, each
  /// `[outer, count, inner]`, and an area to work in, int64. Equals come in the order of their indices, NaN ranks above
  /// every number.
  package struct TopK: Hashable, Sendable {
    package var lines: Lines
    package var count: Dim
    package var ascending: Bool
    /// Whether an element has more than 32 bits.
    package var isWide: Bool

    package init(_ lines: Lines, count: Dim, ascending: Bool, isWide: Bool) {
      (self.lines, self.count, self.ascending, self.isWide) = (lines, count, ascending, isWide)
    }

    /// Each does every so many-th line, and has an area of its own.
    package var tasks: Dim { Dim.min(lines.outer * lines.inner, 16) }
    /// Candidates that a line has at a time.
    package var room: Dim { Dim.min(lines.length, count * 4 + 64) }
    /// Elements of a task's area: the candidates twice, each a key and a position.
    package var area: Dim { room * Dim(isWide ? 4 : 2) }
  }
}
