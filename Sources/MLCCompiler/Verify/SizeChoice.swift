import MLCCore
import MLCGraph

/// Numbers for the sizes that a model leaves open, for trying it out.
package struct SizeChoice: Sendable {
  /// In the order in which the inputs name them.
  package private(set) var sizes: [(name: String, value: Int)] = []

  package var byName: [String: Int] { Dictionary(uniqueKeysWithValues: sizes.map { ($0.name, $0.value) }) }

  /// `wanted` decides; otherwise a first axis is a batch of 1, an axis of a picture (rank 4 and above) 64, another 16, each
  /// moved into the model's bounds. Throws `size.unknown` when `wanted` names what no input has, `size.range` when it
  /// is out of bounds.
  package init(_ function: Function, wanted: [String: Int] = [:]) throws(Diagnostic) {
    for input in function.inputs {
      let shape = function.type(input).shape
      for (axis, dim) in shape.enumerated() {
        for name in dim.symbols.sorted() where !sizes.contains(where: { $0.name == name }) {
          let bounds = function.bounds[name] ?? 0...Int.max
          let guess = axis == 0 ? 1 : shape.count >= 4 ? 64 : 16
          let value = wanted[name] ?? min(max(guess, bounds.lowerBound), bounds.upperBound)
          guard bounds.contains(value) else {
            throw Diagnostic(
              "size.range",
              "--size \(name)=\(value): the model allows \(bounds.lowerBound) to \(bounds.upperBound)",
              kind: .usage
            )
          }
          sizes.append((name, value))
        }
      }
    }
    guard let unknown = wanted.keys.sorted().first(where: { name in !sizes.contains { $0.name == name } }) else {
      return
    }
    let known = sizes.isEmpty ? "none is open" : "open are " + sizes.map { "'\($0.name)'" }.joined(separator: ", ")
    throw Diagnostic("size.unknown", "the model has no open size '\(unknown)'; \(known)", kind: .usage)
  }
}
