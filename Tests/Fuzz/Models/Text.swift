import FuzzSupport
import MLCCore
import MLCGraph
import MLCOps

extension FuzzTarget {
  /// The text of a program, and what a compiler makes of it.
  static let text = FuzzTarget(
    "text",
    WordMutator(dictionary: ["const", "if", "fp32", "->", "@blob(0)", "{", "}"]),
    texts: [program]
  ) { (bytes) throws(Diagnostic) in
    let text = ProgramText(text: String(decoding: bytes, as: UTF8.self), blobs: blobs)
    try Exercise.run(try text.program { OperatorSet.named($0) }, of: bytes)
  }

  private static let blobs = [Tensor([2, 3], floats: [1, 2, 3, 4, 5, 6])]

  private static let program = """
    program {
      metadata "author" = "me"
      func @main(%x: fp32[batch, 3]) -> ("y" = %y) file "m.onnx" bounds(batch in 1...8) {
        %w = const {val = @blob(0)} : fp32[2, 3]
        %y = linear(x = %x, weight = %w) : fp32[batch, 2] loc(node "Gemm_0" op "Gemm")
      }
    }

    """
}
