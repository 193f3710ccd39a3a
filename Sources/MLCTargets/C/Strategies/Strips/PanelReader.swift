import MLCCore

/// How a micro-kernel reads the weights of a panel: `vectors` vectors of `lanes` neighbouring columns, a row a step.
///
/// The rows of a panel stored for itself follow each other, and one pointer goes along them. In strips the columns lie
/// in several rows; each pointer goes along one strip, or along several at once that lie one after the other at a known
/// distance.
package struct PanelReader {
  let vectors: Int, lanes: Int
  /// Elements from one step to the next.
  let row: Int
  /// Columns that one pointer reaches.
  private let span: Int
  /// Elements from one strip to the next.
  private let stripStride: Int
  /// Of the widest panel; this one may take fewer.
  private let names: [String]
  /// What the code calls `lanes`, where it names them.
  private let unit: String?

  /// A panel stored for itself, read by the pointer `name`; `unit` is what the code calls `lanes`.
  package init(vectors: Int, lanes: Int, name: String, unit: String? = nil) {
    (self.vectors, self.lanes, row, span, stripStride) = (vectors, lanes, vectors * lanes, .max, 0)
    (names, self.unit) = ([name], unit)
  }

  /// A panel in `strips`, by pointers called after `name`. The first column of each panel is a multiple of `alignment`.
  /// The widest panels have `most` vectors; those that `mayOverrun` name columns of strips that are not there.
  package init(
    _ strips: WeightStrips,
    vectors: Int,
    lanes: Int,
    alignment: Int,
    most: Int,
    mayOverrun: Bool,
    name: String
  ) {
    (self.vectors, self.lanes, row, stripStride) = (vectors, lanes, strips.width, strips.stride)
    let together = greatestCommonDivisor(alignment, strips.width)
    span = together == strips.width && !mayOverrun ? .max : together
    let count = span == .max ? 1 : (most * lanes + span - 1) / span
    unit = nil
    names = count == 1 ? [name] : (0..<count).map { "\(name)\($0)" }
  }

  /// The pointers that are needed, each with the panel's column at which it starts.
  private var pointers: [(name: String, column: Int)] {
    let count = span == .max ? 1 : (vectors * lanes + span - 1) / span
    return names.prefix(count).enumerated().map { ($1, span == .max ? 0 : $0 * span) }
  }

  private func place(_ vector: Int) -> (pointer: String, offset: Int) {
    let column = vector * lanes
    let (pointer, rest) = span == .max ? (0, column) : column.quotientAndRemainder(dividingBy: span)
    return (names[pointer], rest / row * stripStride + rest % row)
  }

  /// Where `vector` of the current row lies.
  package func address(_ vector: Int) -> String {
    if let unit { return "\(names[0]) + \(vector) * \(unit)" }
    let (pointer, offset) = place(vector)
    return "\(pointer) + \(offset)"
  }

  /// Statements that go on to the next row, `step` elements further where that is given.
  package func advance(by step: String? = nil) -> String {
    pointers.map { "\($0.name) += \(step ?? "\(row)");" }.joined(separator: " ")
  }

  package var arguments: String { pointers.map { $0.name }.joined(separator: ", ") }

  func parameters(_ type: String) -> String {
    pointers.map { "const \(type) *restrict \($0.name)" }.joined(separator: ", ")
  }

  /// Declares the pointers to the panel in `strips` at `base` whose first column is `first`, a C expression.
  package func declarations(
    _ type: String,
    _ strips: WeightStrips,
    base: String,
    first: String,
    mayOverrun: Bool
  ) -> CCode {
    CCode(
      lines: pointers.map { name, column in
        let start = strips.start(column == 0 ? first : "\(first) + \(column)", mayOverrun: mayOverrun)
        return "const \(type) *\(name) = \(base) + \(start);"
      }
    )
  }

  /// Statements that ask for the rows which are read when about 4 KiB of the panel have been.
  package func prefetches(elementBytes: Int) -> [String] {
    let ahead = max(1, 4096 * row / (vectors * lanes) / 64) * 64
    var asked: Set<String> = []
    return (0..<vectors).compactMap { vector in
      let (pointer, offset) = place(vector)
      let line = "(const char *)\(pointer) + \(ahead + offset * elementBytes / 64 * 64)"
      return asked.insert(line).inserted ? "__builtin_prefetch(\(line));" : nil
    }
  }
}

func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  var (x, y) = (a, b)
  while y != 0 { (x, y) = (y, x % y) }
  return x
}
