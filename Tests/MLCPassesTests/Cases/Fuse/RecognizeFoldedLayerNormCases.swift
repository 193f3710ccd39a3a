import MLCPasses

extension PassCase {
  static let recognizeFoldedLayerNorm: [PassCase] = [
    PassCase(
      RecognizeFoldedLayerNorm(),
      "inverse",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          %g = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)}
          %b = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)}
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = mul(x = %d, y = %d)
          %v = reduce_mean(x = %q) {axes = [1], keep_dims = true}
          %s = add(x = %v, y = %eps)
          %t = sqrt(x = %s)
          %r = inverse(x = %t) {epsilon = 0.0}
          %f = mul(x = %r, y = %g)
          %u = mul(x = %m, y = %f)
          %c = sub(x = %b, y = %u)
          %p = mul(x = %x, y = %f)
          %y = add(x = %p, y = %c)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %gamma = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)} : fp32[4]
          %beta = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)} : fp32[4]
          %y = layer_norm(x = %x, gamma = %gamma, beta = %beta) {axes = [1], epsilon = 9.999999747378752e-06} : \
        fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeFoldedLayerNorm(),
      "rsqrt",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          %g = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)}
          %b = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)}
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = mul(x = %d, y = %d)
          %v = reduce_mean(x = %q) {axes = [1], keep_dims = true}
          %s = add(x = %v, y = %eps)
          %r = rsqrt(x = %s) {epsilon = 0.0}
          %f = mul(x = %g, y = %r)
          %u = mul(x = %m, y = %f)
          %c = sub(x = %b, y = %u)
          %p = mul(x = %x, y = %f)
          %y = add(x = %p, y = %c)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %gamma = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)} : fp32[4]
          %beta = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)} : fp32[4]
          %y = layer_norm(x = %x, gamma = %gamma, beta = %beta) {axes = [1], epsilon = 9.999999747378752e-06} : \
        fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeFoldedLayerNorm(),
      "plain",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          %b = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)}
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = mul(x = %d, y = %d)
          %v = reduce_mean(x = %q) {axes = [1], keep_dims = true}
          %s = add(x = %v, y = %eps)
          %f = rsqrt(x = %s) {epsilon = 0.0}
          %u = mul(x = %m, y = %f)
          %c = sub(x = %b, y = %u)
          %p = mul(x = %x, y = %f)
          %y = add(x = %p, y = %c)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %beta = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)} : fp32[4]
          %y = layer_norm(x = %x, beta = %beta) {axes = [1], epsilon = 9.999999747378752e-06} : fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      RecognizeFoldedLayerNorm(),
      "root",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          %b = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)}
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = mul(x = %d, y = %d)
          %v = reduce_mean(x = %q) {axes = [1], keep_dims = true}
          %s = add(x = %v, y = %eps)
          %f = sqrt(x = %s)
          %u = mul(x = %m, y = %f)
          %c = sub(x = %b, y = %u)
          %p = mul(x = %x, y = %f)
          %y = add(x = %p, y = %c)
        }
        """,
      after: nil,
      sizes: ["n": 3]
    ),
  ]
}
