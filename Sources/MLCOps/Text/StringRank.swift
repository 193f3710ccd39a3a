import MLCCore
import MLCGraph
import MLCText

/// The place of each text in the order of those of `x`, equal ones at the same: `x: string[*S]` → `y: int64[*S]`.
///
/// A `TextOrder` says which comes first. Throws `string_rank.dtype`. (mlc extension)
package struct StringRank: Operator {
  package static let schema = Schema<StringRank>("string_rank", [.input("x")])
  package init() {}

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype == .string else { throw Diagnostic.dtype("string_rank", x.dtype) }
    return [Fact(.int64, x.shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    return [Tensor(.int64, x.shape, TextOrder.ranks(x.strings))]
  }
}
