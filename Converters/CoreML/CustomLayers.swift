import MLCCore
import MLCGraph
import MLCOps

/// What custom layers of neural networks mean: for each class a function in the graph's text form, which the importer
/// writes out in the layer's place.
///
/// ```
/// # y = gain · x + weight0, channel by channel
/// func @scaled(%x: fp32[n, c, h, w], %gain: fp32[], %weight0: fp32[c, 1, 1]) -> ("y" = %y) {
///   %scaled = mul(x = %x, y = %gain)
///   %y = add(x = %scaled, y = %weight0)
/// }
/// ```
///
/// `weight0`, `weight1`, … are the layer's weights by place, inputs called like one of its parameters are that
/// parameter, and all others are the layer's inputs in order. Sizes by name take what the inputs have, and give the
/// shapes of the weights. Axes of the network in front of those that an input declares go with its first one.
package struct CustomLayers: Sendable {
  private(set) var functions: [String: Function] = [:]

  package init() {}

  /// Lets layers of the class `name` mean the function in `text`; lines that begin with `#` are comments. Throws
  /// `text.…`, what inference throws, and `coreml.custom` for more than one function.
  package mutating func add(_ name: String, _ text: String) throws(Diagnostic) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#") ? "" : String(line)
    }
    let program = try ProgramText(text: "program { " + lines.joined(separator: "\n") + "\n}").program {
      OperatorSet.named($0)
    }
    guard program.functions.count == 1 else {
      throw Diagnostic("coreml.custom", "there are \(program.functions.count) functions for '\(name)', not one")
    }
    try program.main.verify()
    functions[name] = program.main
  }
}
