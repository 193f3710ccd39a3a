import MLCCore
import MLCGraph
import MLCOps

// What the parts of composites share.

extension GraphWriter {
  /// `x` in float32, or in its own type where that is wider.
  mutating func widened(_ x: ValueID) throws(Diagnostic) -> ValueID {
    fact(x).dtype.bitWidth < 32 ? try converted(x, to: .float32) : x
  }
}
