import MLCPasses

extension PassCase {
  static let recognizeAttention: [PassCase] = [
    PassCase(
      RecognizeAttention(),
      "added-mask",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: fp32[1, 1, 3, 5]) -> ("y" = \
        %y) {
          %s = const {val = fp32[](0.5)}
          %t = transpose(x = %k) {perm = [0, 1, 3, 2]}
          %a = matmul(x = %q, y = %t)
          %b = mul(x = %a, y = %s)
          %c = add(x = %b, y = %m)
          %d = softmax(x = %c)
          %y = matmul(x = %d, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: fp32[1, 1, 3, 5]) -> ("y" = \
        %y) {
          %y = scaled_dot_product_attention(query = %q, key = %k, value = %v, attn_mask = %m) : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "mask-shown",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: bool[1, 1, 3, 5]) -> ("y" = \
        %y) {
          %s = const {val = fp32[](0.5)}
          %c = const {val = fp32[](-1e+09)}
          %a = matmul(x = %q, y = %k) {transpose_y = true}
          %b = mul(x = %a, y = %s)
          %l = select(cond = %m, a = %b, b = %c)
          %d = softmax(x = %l)
          %y = matmul(x = %d, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: bool[1, 1, 3, 5]) -> ("y" = \
        %y) {
          %y = scaled_dot_product_attention(query = %q, key = %k, value = %v, attn_mask = %m) {masked_score = \
        -1000000000.0} : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "mask-hidden",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: bool[1, 1, 3, 5]) -> ("y" = \
        %y) {
          %s = const {val = fp32[](0.5)}
          %c = const {val = fp32[](-1e+09)}
          %a = matmul(x = %q, y = %k) {transpose_y = true}
          %b = mul(x = %a, y = %s)
          %l = select(cond = %m, a = %c, b = %b)
          %d = softmax(x = %l)
          %y = matmul(x = %d, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: bool[1, 1, 3, 5]) -> ("y" = \
        %y) {
          %logical_not = logical_not(x = %m) : bool[1, 1, 3, 5]
          %y = scaled_dot_product_attention(query = %q, key = %k, value = %v, attn_mask = %logical_not) \
        {masked_score = -1000000000.0} : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "other-scale",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.25)}
          %a = matmul(x = %q, y = %k) {transpose_y = true}
          %b = mul(x = %a, y = %s)
          %d = softmax(x = %b)
          %y = matmul(x = %d, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %scalar = const {val = fp32[](0.5)} : fp32[]
          %mul = mul(x = %q, y = %scalar) : fp32[1, 2, 3, 4]
          %y = scaled_dot_product_attention(query = %mul, key = %k, value = %v) : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "near-scale",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.5002)}
          %a = matmul(x = %q, y = %k) {transpose_y = true}
          %b = mul(x = %a, y = %s)
          %d = softmax(x = %b)
          %y = matmul(x = %d, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %scalar = const {val = fp32[](1.0004)} : fp32[]
          %mul = mul(x = %q, y = %scalar) : fp32[1, 2, 3, 4]
          %y = scaled_dot_product_attention(query = %mul, key = %k, value = %v) : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "scaled-query",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.5)}
          %p = mul(x = %q, y = %s)
          %a = matmul(x = %p, y = %k) {transpose_y = true}
          %d = softmax(x = %a)
          %y = matmul(x = %d, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %y = scaled_dot_product_attention(query = %q, key = %k, value = %v) : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "both-scaled",
      before: """
        func @main(%q: fp32[1, 3, 2, 4], %k: fp32[1, 5, 2, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.70710678)}
          %a = transpose(x = %q) {perm = [0, 2, 1, 3]}
          %b = mul(x = %a, y = %s)
          %c = transpose(x = %k) {perm = [0, 2, 3, 1]}
          %d = mul(x = %c, y = %s)
          %e = matmul(x = %b, y = %d)
          %f = softmax(x = %e)
          %y = matmul(x = %f, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 3, 2, 4], %k: fp32[1, 5, 2, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %a = transpose(x = %q) {perm = [0, 2, 1, 3]} : fp32[1, 2, 3, 4]
          %transpose = transpose(x = %k) {perm = [0, 2, 1, 3]} : fp32[1, 2, 5, 4]
          %y = scaled_dot_product_attention(query = %a, key = %transpose, value = %v) : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "unscaled",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: fp32[1, 2, 3, 5]) -> ("y" = \
        %y) {
          %a = matmul(x = %q, y = %k) {transpose_y = true}
          %b = add(x = %a, y = %m)
          %c = softmax(x = %b)
          %y = matmul(x = %c, y = %v)
        }
        """,
      after: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: fp32[1, 2, 3, 5]) -> ("y" = \
        %y) {
          %scalar = const {val = fp32[](2.0)} : fp32[]
          %mul = mul(x = %q, y = %scalar) : fp32[1, 2, 3, 4]
          %y = scaled_dot_product_attention(query = %mul, key = %k, value = %v, attn_mask = %m) : fp32[1, 2, 3, 4]
        }
        """
    ),
    PassCase(
      RecognizeAttention(),
      "huge-scale",
      before: """
        func @main(%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](1000.0)}
          %a = matmul(x = %q, y = %k) {transpose_y = true}
          %b = mul(x = %a, y = %s)
          %d = softmax(x = %b)
          %y = matmul(x = %d, y = %v)
        }
        """,
      after: nil
    ),
  ]
}
