import MLCCore

extension Routine {
  /// Of each line of scores `[batches, classes, boxes]` which boxes `[batches, boxes, 4]` are kept, as the operator
  /// `non_max_suppression` has it. Further parameters read are how many may be kept, int64 `[]`, the least share of
  /// overlapping boxes, and the score to be above where there `isLeast`.
  ///
  /// Stored are int64 positions of boxes `[batches·classes, limit]` and int64 `[batches·classes]`, how many of them
  /// count. Between come two areas to work in: int64 for the order of a line, float32 for the sides of its boxes.
  package struct Suppression: Hashable, Sendable {
    package var batches: Dim, classes: Dim, boxes: Dim
    /// No line keeps more.
    package var limit: Dim
    package var isCentred: Bool, isLeast: Bool

    package init(batches: Dim, classes: Dim, boxes: Dim, limit: Dim, isCentred: Bool, isLeast: Bool) {
      (self.batches, self.classes, self.boxes, self.limit) = (batches, classes, boxes, limit)
      (self.isCentred, self.isLeast) = (isCentred, isLeast)
    }

    /// Boxes whose sides lie beside each other.
    package static let panel = 16

    package var lines: Dim { batches * classes }
    /// Each does every so many-th line, and has an area of its own.
    package var tasks: Dim { Dim.min(lines, 16) }
    /// Sides, and the area, of a line's boxes.
    package var sides: Dim { limit.ceilDiv(Dim(Self.panel)) * Dim(5 * Self.panel) }

    /// Elements of the parameters.
    package var counts: [Dim] {
      [batches * boxes * 4, lines * boxes, 1, 1] + (isLeast ? [1] : [])
        + [tasks * boxes, tasks * sides, lines * limit, lines]
    }
  }
}
