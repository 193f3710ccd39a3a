/// Diagnostics by which the compiler may refuse a valid graph, each with the reason.
package enum Refusals {
  package static let reasons: [String: String] = [
    "lower.resize-target": "the sizes of a resize that no type says are planned from a constant alone",
    "lower.unknown-size": "the result has no bound before run time, so no memory can be planned",
    "target.packed-store": "elements of fewer than eight bits, and kernels write whole bytes",
    "target.strategy": "no strategy takes products and convolutions of some types, groups and ranks",
  ]
}
