/// Lines of C with their indentation.
struct CodeWriter {
  private(set) var text = ""
  private var depth: Int

  init(depth: Int = 0) { self.depth = depth }

  mutating func line(_ line: String) { lines([line]) }
  mutating func lines(_ lines: [String]) {
    for line in lines.indented(depth) { text += line + "\n" }
  }
  mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
    line(head.isEmpty ? "{" : head + " {")
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }
  /// Nested loops over whole axes around `body`, outermost first.
  mutating func loops(_ axes: [(name: String, extent: String)], _ body: (inout CodeWriter) -> Void) {
    guard let axis = axes.first else { return body(&self) }
    block("for (int64_t \(axis.name) = 0; \(axis.name) < \(axis.extent); \(axis.name)++)") { inner in
      inner.loops(Array(axes.dropFirst()), body)
    }
  }
}
