/// Who may use the generated declarations.
package enum AccessLevel: String, CaseIterable, Sendable {
  case `internal`, `package`, `public`

  /// Before a declaration; nothing where Swift's default says the same.
  var prefix: String { self == .internal ? "" : rawValue + " " }
}
