import MLCCore
import MLCGraph

extension Operands<Fact> {
  /// The result shape that the integer vector `fact` spells; fresh symbols where its elements are not known.
  ///
  /// Throws `OP.dtype` unless it is of an integer type, `OP.rank` when its length is unknown or beyond 64, `OP.shape`
  /// for a negative extent.
  package func target(_ fact: Fact, _ op: String, _ port: String) throws(Diagnostic) -> [Dim] {
    guard fact.dtype.isInteger else { throw Diagnostic.dtype(op, fact.dtype, port) }
    if let elements = fact.elements {
      for extent in elements where (extent.constant ?? 0) < 0 {
        throw Diagnostic(.init("\(op).shape"), "'\(port)' asks for a negative extent, \(extent)")
      }
      return elements
    }
    if let numbers = fact.ratios {
      return numbers.enumerated().map { $1.whole ?? fresh("d\($0)") }
    }
    guard let rank = fact.shape[0].constant, rank <= 64 else {
      throw Diagnostic(.init("\(op).rank"), "the rank of the result is not known before run time", kind: .unsupported)
    }
    return (0..<rank).map { fresh("d\($0)") }
  }
}
