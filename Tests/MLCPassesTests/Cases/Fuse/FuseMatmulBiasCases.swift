import MLCPasses

extension PassCase {
  static let fuseMatmulBias: [PassCase] = [
    PassCase(
      FuseMatmulBias(),
      "plain",
      before: """
        func @main(%x: fp32[n, 2, 4]) -> ("y" = %y) {
          %w = const {val = fp32[4, 3](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0, 0.75, 3.0, -2.0, 0.0)}
          %b = const {val = fp32[1, 3](1.0, 2.0, 3.0)}
          %p = matmul(x = %x, y = %w) loc(node "/fc" op "MatMul")
          %y = add(x = %b, y = %p) loc(node "/bias" op "Add")
        }
        """,
      after: """
        func @main(%x: fp32[n, 2, 4]) -> ("y" = %y) {
          %weight = const {val = fp32[3, 4](0.5, 2.0, 1.0, 3.0, -0.25, 0.125, -1.0, -2.0, 1.0, -1.5, 0.75, 0.0)} : \
        fp32[3, 4] loc(node "/bias" op "Add")
          %bias = const {val = fp32[3](1.0, 2.0, 3.0)} : fp32[3] loc(node "/bias" op "Add")
          %y = linear(x = %x, weight = %weight, bias = %bias) : fp32[n, 2, 3] loc(node "/fc" op "MatMul")
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      FuseMatmulBias(),
      "transposed",
      before: """
        func @main(%x: fp32[n, 2, 4]) -> ("y" = %y) {
          %w = const {val = fp32[3, 4](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0, 0.75, 3.0, -2.0, 0.0)}
          %b = const {val = fp32[](1.5)}
          %p = matmul(x = %x, y = %w) {transpose_y = true}
          %y = add(x = %p, y = %b)
        }
        """,
      after: """
        func @main(%x: fp32[n, 2, 4]) -> ("y" = %y) {
          %w = const {val = fp32[3, 4](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0, 0.75, 3.0, -2.0, 0.0)} : \
        fp32[3, 4]
          %bias = const {val = fp32[3](1.5, 1.5, 1.5)} : fp32[3]
          %y = linear(x = %x, weight = %w, bias = %bias) : fp32[n, 2, 3]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      FuseMatmulBias(),
      "column",
      before: """
        func @main(%x: fp32[3, 4]) -> ("y" = %y) {
          %w = const {val = fp32[4, 3](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0, 0.75, 3.0, -2.0, 0.0)}
          %b = const {val = fp32[3, 1](1.0, 2.0, 3.0)}
          %p = matmul(x = %x, y = %w)
          %y = add(x = %p, y = %b)
        }
        """,
      after: nil
    ),
  ]
}
