/// Diagnostics by which the compiler may refuse a valid graph, each with the reason.
package enum Refusals {
  package static let reasons: [String: String] = [
    "lower.recurrent-size": "state is planned for a number of hidden units that is known",
    "lower.resize-target": "the sizes of a resize that no type says are planned from a constant alone",
    "lower.unknown-size": "the result has no bound before run time, so no memory can be planned",
    "sanitized.text": "texts are the runtime's, and the host of sanitized code has none",
  ]
}
