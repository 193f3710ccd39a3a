/// Diagnostics by which the compiler may refuse a valid graph, each with the reason.
package enum Refusals {
  package static let reasons: [String: String] = [
    "target.strategy": "no strategy takes products and convolutions of some types, groups and ranks"
  ]
}
