import MLCPasses

extension PassCase {
  static let recognizeSoftmax: [PassCase] = [
    PassCase(
      RecognizeSoftmax(),
      "stable",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %a = reduce_max(x = %x) {axes = [1], keep_dims = true}
          %b = sub(x = %x, y = %a)
          %c = exp(x = %b)
          %d = reduce_sum(x = %c) {axes = [-1], keep_dims = true}
          %y = real_div(x = %c, y = %d)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = softmax(x = %x) {axis = 1} : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeSoftmax(),
      "plain",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %c = exp(x = %x)
          %d = reduce_sum(x = %c) {axes = [-1], keep_dims = true}
          %y = real_div(x = %c, y = %d)
        }
        """,
      after: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %y = softmax(x = %x) {axis = 1} : fp32[n, 8]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeSoftmax(),
      "two-axes",
      before: """
        func @main(%x: fp32[n, 8]) -> ("y" = %y) {
          %c = exp(x = %x)
          %d = reduce_sum(x = %c) {axes = [0, 1], keep_dims = true}
          %y = real_div(x = %c, y = %d)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
  ]
}
