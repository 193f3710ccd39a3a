import MLCCore

/// A program as text, and the tensors too large to spell, which the text names `@blob(i)`.
///
/// ```
/// program {
///   metadata "author" = "me"
///   func @main(%x: fp32[batch, 3]) -> ("y" = %y) file "m.onnx" bounds(batch in 1...8) {
///     %w = const {val = fp32[2, 3](1.0, 2.0, 3.0, 4.0, 5.0, 6.0)} : fp32[2, 3]
///     %y = linear(x = %x, weight = %w) : fp32[batch, 2] loc(node "Gemm_0" op "Gemm")
///   }
/// }
/// ```
///
/// Behind the bounds stand sizes that go together, `sizes("h", "w") in ((224, 224), (320, 320))`, and memory,
/// `states("cache" input 1 output 1)`, by places among inputs and outputs, what has been learnt, `parameters("w" input
/// 1 = fp32[2](1.0, 2.0))`, and what ports are to applications,
/// `features(input "image" image rgb, output "p" scores("cat", "dog"))`. Attributes at their default are left out.
/// What is printed parses to the same functions, values and facts; values that nothing defines are left out.
package struct ProgramText: Sendable {
  package var text: String
  package var blobs: [Tensor]

  /// Tensors of up to `inlineLimit` elements are spelled out, and tensors of strings.
  package init(_ program: Program, inlineLimit: Int = 64) {
    var printer = TextPrinter(inlineLimit: inlineLimit)
    printer.program(program)
    (text, blobs) = (printer.text, printer.blobs)
  }

  package init(text: String, blobs: [Tensor] = []) { (self.text, self.blobs) = (text, blobs) }

  /// The program that the text spells, with the operators that `named` knows.
  ///
  /// Throws `text.*` naming the line for anything malformed, and what inference throws.
  package func program(named: (String) -> (any Operator.Type)?) throws(Diagnostic) -> Program {
    try withoutActuallyEscaping(named) { named throws(Diagnostic) in
      var parser = TextParser(lexer: TextLexer(text), blobs: blobs, named: named)
      return try parser.program()
    }
  }
}
