import MLCCore
import MLCOps
import MLCText

extension Routine {
  /// Work on texts, which the host of the code does: the kernel hands it the numbers.
  package struct Text: Hashable, Sendable {
    package var operation: TextOperation
    /// As the operation names them.
    package var extents: [Dim]

    package init(_ operation: TextOperation, extents: [Dim]) {
      (self.operation, self.extents) = (operation, extents)
    }

    /// Elements of each parameter.
    package var counts: [Dim] {
      let n = extents[0]
      return switch operation {
      case .concat: [n, n, n]
      case .countPieces: [n, n, 1]
      case .split: [n, n * extents[1]]
      case .normalize: [n, Dim.largest(n, 1), 1]
      case .match, .rank, .parse, .format: [n, n]
      }
    }
  }
}
