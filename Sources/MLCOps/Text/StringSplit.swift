import MLCCore
import MLCGraph
import MLCText

/// The pieces of each text, and how many it has: `x: string[*S]` → `y: string[*S, width]`, `counts: int64[*S]`, width
/// the most pieces that one has.
///
/// A `TextSplit` divides at `delimiter`; empty texts follow the pieces of those that have fewer. At most `maxsplit`
/// divisions are made, any number where it is negative. Throws `string_split.dtype`, `string_split.size`. Source: ONNX
/// `StringSplit`.
package struct StringSplit: TextMaking {
  package var delimiter = ""
  package var maxsplit = -1

  package static let schema = Schema<StringSplit>(
    "string_split",
    [
      .input("x"), .attribute("delimiter", \.delimiter), .attribute("maxsplit", \.maxsplit), .output("y"),
      .output("counts"),
    ]
  )
  package init() {}
  package init(delimiter: String, maxsplit: Int = -1) { (self.delimiter, self.maxsplit) = (delimiter, maxsplit) }

  /// What divides a text.
  package var split: TextSplit { TextSplit(delimiter: delimiter, limit: maxsplit < 0 ? nil : maxsplit) }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype == .string else { throw Diagnostic.dtype("string_split", x.dtype) }
    return [Fact(.string, x.shape + [inputs.fresh("width")]), Fact(.int64, x.shape)]
  }

  package func textBytes(_ inputs: Operands<Tensor>) -> Int {
    let x = inputs["x"]
    var (width, bytes) = (0, 0)
    for text in x.strings {
      let pieces = split.pieces(of: text)
      width = max(width, pieces.count)
      bytes += pieces.reduce(0) { $0 + $1.longBytes }
    }
    let references = x.count.saturatingProduct(width).saturatingProduct(DType.stringBytes)
    return references > Int.max - bytes ? .max : references + bytes
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let counts = x.strings.map { split.pieces(of: $0).count }
    let width = counts.max() ?? 0
    try checkSize(.string, x.shape + [width], "string_split")
    let texts = x.strings.flatMap { text in
      let pieces = split.pieces(of: text)
      return pieces + [String](repeating: "", count: width - pieces.count)
    }
    return [Tensor(x.shape + [width], strings: texts), Tensor(.int64, x.shape, counts)]
  }
}
