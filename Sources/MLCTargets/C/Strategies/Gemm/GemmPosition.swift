import MLCCore
import MLCKernels

/// Where a block of a matmul's results lies, as C: the batch position, the first row and column.
struct GemmPosition {
  private let problem: GemmProblem

  init(_ problem: GemmProblem) { self.problem = problem }

  private var batch: [Axis] { problem.matmul.batch }
  /// Names of the batch positions, in order.
  var names: [String] { batch.indices.map { "b\($0)" } }

  /// Declares the structure from which epilogues learn it.
  func declaration(_ symbol: String) -> CCode {
    """
    struct \(symbol)_at {
      const mlc_frame *frame;
      void *const *buffers;
      int64_t \((names + ["m", "n", "columns"]).joined(separator: ", "));
      int first, last;
      \(problem.sumElement.cStorageType) *sums;
    };
    """
  }

  /// Declares the batch positions that `number` counts, the last one varying fastest; uses it up.
  func positions(of number: String, _ sizes: SizeSpelling) -> CCode {
    if batch.isEmpty { return "(void)\(number);" }
    return .positions(zip(names, batch).map { (name: $0, extent: sizes.spell($1.extent)) }, of: number)
  }

  /// The element of an operand at the batch position, its first row and column.
  func offset(_ access: LinearAccess, _ sizes: SizeSpelling) -> String {
    let steps = zip(names, batch).filter { access.stride($1) != 0 }
      .map { "\($0) * \(sizes.spell(access.stride($1)))" }
    return ([sizes.spell(access.offset)] + steps).joined(separator: " + ")
  }
}
