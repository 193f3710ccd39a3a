/// Lines of C: what every emitter returns and puts together.
///
/// A literal is a template. Code inserted into it takes the indentation of the line that it is inserted into, and a
/// line on which nothing but empty code is inserted is left out. Structure that C's own text does not show, such as
/// nested loops, is built by `block` and `loops`; pieces follow each other by `+`.
package struct CCode: Equatable, Sendable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
  package private(set) var lines: [String]

  package init(lines: [String] = []) { self.lines = lines }
  package init(stringLiteral text: String) { self.init(text) }
  package init(arrayLiteral parts: CCode...) { lines = parts.flatMap(\.lines) }
  @inline(never) package init(stringInterpolation template: Template) { lines = template.finished }
  /// The lines of `text`; none for an empty one.
  package init(_ text: String) {
    lines = text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Each line with its line feed.
  package var text: String { lines.reduce(into: "") { $0 += $1 + "\n" } }
  package var isEmpty: Bool { lines.isEmpty }

  package static func + (a: CCode, b: CCode) -> CCode { CCode(lines: a.lines + b.lines) }
  package static func += (a: inout CCode, b: CCode) { a.lines += b.lines }

  /// `body` in braces, after `head` where there is one.
  package static func block(_ head: String, _ body: CCode) -> CCode {
    """
    \(head) {
      \(body)
    }
    """
  }
  package static func block(_ body: CCode) -> CCode {
    """
    {
      \(body)
    }
    """
  }

  /// Nested loops over whole axes around `body`, outermost first.
  package static func loops(_ axes: [(name: String, extent: String)], _ body: CCode) -> CCode {
    axes.reversed().reduce(body) { inner, axis in
      block("for (int64_t \(axis.name) = 0; \(axis.name) < \(axis.extent); \(axis.name)++)", inner)
    }
  }

  /// Declares the positions that the variable `number` counts, the last of `axes` varying fastest; uses it up.
  package static func positions(_ axes: [(name: String, extent: String)], of number: String) -> CCode {
    axes.enumerated().reversed().map { index, axis -> CCode in
      if index == 0 { return "const int64_t \(axis.name) = \(number);" }
      return """
        const int64_t \(axis.name) = \(number) % \(axis.extent);
        \(number) /= \(axis.extent);
        """
    }.joined()
  }

  /// A line for each of `rows`, with a statement for each of `columns`.
  package static func grid(_ rows: Int, _ columns: Int, _ statement: (_ row: Int, _ column: Int) -> String) -> CCode {
    CCode(lines: (0..<rows).map { row in (0..<columns).map { statement(row, $0) }.joined(separator: " ") })
  }

  /// A kernel's function: `SYMBOL(frame, buffers, scratch, begin, end)` after `linkage`.
  package static func kernel(_ symbol: String, linkage: String = "", scratch: String = "scratch", _ body: CCode)
    -> CCode
  {
    """
    \(linkage)void \(symbol)(
      const mlc_frame *frame, void *const *buffers, char *\(scratch), int64_t begin, int64_t end) {
      \(body)
    }
    """
  }

  /// Its functions are never inlined: the optimizer's time grows faster than the functions of hundreds of pieces that
  /// would result.
  package struct Template: StringInterpolationProtocol {
    private var lines: [String] = []
    private var line = ""
    /// Whether empty code was inserted into `line`.
    private var hasEmpty = false

    package init(literalCapacity: Int, interpolationCount: Int) {}

    @inline(never) package mutating func appendLiteral(_ text: String) {
      for (number, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if number > 0 { endLine() }
        line += part
      }
    }
    @inline(never) package mutating func appendInterpolation(_ code: CCode) {
      guard let first = code.lines.first else {
        hasEmpty = true
        return
      }
      let indentation = String(line.prefix { $0 == " " })
      line += first
      for more in code.lines.dropFirst() {
        endLine()
        line = more.isEmpty ? "" : indentation + more
      }
    }
    @inline(never) package mutating func appendInterpolation(_ text: String) { appendInterpolation(CCode(text)) }
    @inline(never) package mutating func appendInterpolation(_ number: some BinaryInteger) { line += "\(number)" }

    private mutating func endLine() {
      if !hasEmpty || line.contains(where: { $0 != " " }) { lines.append(line) }
      (line, hasEmpty) = ("", false)
    }
    fileprivate var finished: [String] {
      var copy = self
      copy.endLine()
      return copy.lines
    }
  }
}

extension Sequence<CCode> {
  /// All of them, one after the other.
  package func joined() -> CCode { reduce(into: CCode()) { $0 += $1 } }
}
