/// Where in the *user's model* a problem sits; every field is optional because knowledge accrues on the way up.
package struct Location: Hashable, Sendable, CustomStringConvertible {
  /// `file` as the user spelled it, `node` by its name in the user's model, `op` by its type there.
  package var file, function, node, op, pass: String?
  /// Where in `file`, a text.
  package var position: TextPosition?

  package init(
    file: String? = nil,
    position: TextPosition? = nil,
    function: String? = nil,
    node: String? = nil,
    op: String? = nil,
    pass: String? = nil
  ) {
    (self.file, self.function, self.node, self.op, self.pass) = (file, function, node, op, pass)
    self.position = position
  }

  /// Fields already known win; the caller only fills what the callee could not know.
  package func within(_ outer: Location) -> Location {
    Location(
      file: file ?? outer.file,
      // A position is one of its file.
      position: position ?? (file == nil ? outer.position : nil),
      function: function ?? outer.function,
      node: node ?? outer.node,
      op: op ?? outer.op,
      pass: pass ?? outer.pass
    )
  }

  /// For people: names of the model as `shown`.
  package var description: String {
    var parts: [String] = []
    if let file { parts.append(file.shown(4096) + (position.map { ":\($0)" } ?? "")) }
    if let function, function != "main" { parts.append(function.shown()) }
    switch (node?.shown(), op?.shown()) {
    case (let node?, let op?): parts.append("\(node) (\(op))")
    case (let node?, nil): parts.append(node)
    case (nil, let op?): parts.append("(\(op))")
    case (nil, nil): break
    }
    if let pass { parts.append("during \(pass.shown())") }
    return parts.joined(separator: ": ")
  }
}

/// One problem, in terms of the user's model. The only error type that crosses a module boundary.
package struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable { case error, warning, note }

  /// A stable identifier, `<domain>.<kebab-case>`; tests and `--explain` match on it, never on the prose.
  package struct ID: Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: String
    package init(stringLiteral value: String) { rawValue = value }
    package init(_ value: String) { rawValue = value }
  }

  package var severity: Severity
  package var id: ID
  package var message: String
  package var location: Location
  package var notes: [String]
  /// What the process exits with when this diagnostic ends it.
  package var kind: Kind

  /// Whose problem it is; the command line's exit codes follow from it.
  package enum Kind: Int32, Sendable {
    case mismatch = 1
    case usage = 2
    case badModel = 3
    case unsupported = 4
    case environment = 5
    case bug = 70
  }

  package init(
    _ id: ID,
    _ message: String,
    severity: Severity = .error,
    kind: Kind = .badModel,
    at location: Location = .init(),
    notes: [String] = []
  ) {
    (self.severity, self.id, self.message, self.location, self.notes) = (severity, id, message, location, notes)
    self.kind = kind
  }

  /// For people, a line for the problem and one for each note. Whatever the model's names hold, no line is more than
  /// that.
  package var description: String {
    let place = location.description
    let head = "\(place.isEmpty ? "" : place + ": ")\(severity.rawValue): \(shownMessage) [\(id.rawValue)]"
    return ([head] + shownNotes.map { "  note: \($0)" }).joined(separator: "\n")
  }

  package var shownMessage: String { message.shown(4000) }
  /// The first hundred, and how many more there are.
  package var shownNotes: [String] {
    let shown = notes.prefix(100).map { $0.shown(4000) }
    return notes.count > 100 ? shown + ["… and \(notes.count - 100) more"] : shown
  }
}

/// Runs `body`, filling in what `location` knows about any diagnostic it throws.
package func locating<R>(_ location: Location, _ body: () throws(Diagnostic) -> R) throws(Diagnostic) -> R {
  do { return try body() } catch {
    var located = error
    located.location = error.location.within(location)
    throw located
  }
}
