import MLCPasses

extension PassCase {
  static let recognizeLayerNorm: [PassCase] = [
    PassCase(
      RecognizeLayerNorm(),
      "quotient",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          %two = const {val = fp32[](2.0)}
          
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = pow(x = %d, y = %two)
          %v = reduce_mean(x = %q) {axes = [-1], keep_dims = true}
          %s = add(x = %v, y = %eps)
          %r = sqrt(x = %s)
          %y = real_div(x = %d, y = %r)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %y = layer_norm(x = %x) {axes = [1], epsilon = 9.999999747378752e-06} : fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeLayerNorm(),
      "rsqrt",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = mul(x = %d, y = %d)
          %v = reduce_mean(x = %q) {axes = [1], keep_dims = true}
          %s = add(x = %eps, y = %v)
          %r = rsqrt(x = %s) {epsilon = 0.0}
          %y = mul(x = %r, y = %d)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %y = layer_norm(x = %x) {axes = [1], epsilon = 9.999999747378752e-06} : fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeLayerNorm(),
      "inverse",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = square(x = %d)
          %v = reduce_mean(x = %q) {axes = [1], keep_dims = true}
          %s = add(x = %eps, y = %v)
          %t = sqrt(x = %s)
          %r = inverse(x = %t) {epsilon = 0.0}
          %y = mul(x = %d, y = %r)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %y = layer_norm(x = %x) {axes = [1], epsilon = 9.999999747378752e-06} : fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeLayerNorm(),
      "other-axes",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = square(x = %d)
          %v = reduce_mean(x = %q) {axes = [0], keep_dims = true}
          %s = add(x = %eps, y = %v)
          %r = rsqrt(x = %s) {epsilon = 0.0}
          %y = mul(x = %d, y = %r)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
  ]
}
