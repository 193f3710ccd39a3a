import MLCPasses

extension PassCase {
  /// Several passes after one another.
  static let pipelines: [PassCase] = [
    PassCase(
      pipeline: PassPipeline([]),
      "cleanup.shape-arithmetic",
      before: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %s = shape(x = %x)
          %f = cast(x = %s) {dtype = fp32}
          %r = sqrt(x = %f)
          %q = mul(x = %r, y = %r)
          %i = round(x = %q)
          %t = cast(x = %i) {dtype = int64}
          %z = reshape(x = %x, shape = %t) : fp32[a, b]
          %y = abs(x = %z) : fp32[a, b]
        }
        """,
      after: """
        func @main(%x: fp32[2, 3]) -> ("y" = %y) {
          %y = abs(x = %x) : fp32[2, 3]
        }
        """
    ),
    PassCase(
      pipeline: .standard,
      "standard.known-condition",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %n = const {val = int32[](2)}
          %s = shape(x = %x)
          %k = squeeze(x = %s) {axes = [0]}
          %p = equal(x = %k, y = %n)
          %c = cond(pred = %p) {
            true_branch() {
              %f = exp(x = %x)
            } yield (%f)
            false_branch() {
            } yield (%x)
          }
          %y = abs(x = %c)
        }
        """,
      after: """
        func @main(%x: fp32[2]) -> ("y" = %y) {
          %c = exp(x = %x) : fp32[2]
          %y = abs(x = %c) : fp32[2]
        }
        """
    ),
    PassCase(
      pipeline: .standard,
      "standard.outputs",
      before: """
        func @main(%x: fp32[2]) -> ("y" = %y, "z" = %z, "w" = %w, "v" = %v) {
          %y = identity(x = %x)
          %z = exp(x = %x)
          %w = exp(x = %y)
          %v = const {val = fp32[1](1.0)}
        }
        """,
      after: """
        func @main(%x: fp32[2]) -> ("y" = %y_, "z" = %z, "w" = %w_, "v" = %v_) {
          %z = exp(x = %x) : fp32[2]
          %v = const {val = fp32[1](1.0)} : fp32[1]
          %y_ = identity(x = %x) : fp32[2]
          %w_ = identity(x = %z) : fp32[2]
          %v_ = identity(x = %v) : fp32[1]
        }
        """
    ),
    PassCase(
      pipeline: .standard,
      "standard.layer-norm",
      before: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %eps = const {val = fp32[](1e-05)}
          %two = const {val = fp32[](2.0)}
          
          %g = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)}
          %b = const {val = fp32[1, 4](0.0, 1.0, 0.0, 1.0)}
          %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
          %d = sub(x = %x, y = %m)
          %q = pow(x = %d, y = %two)
          %v = reduce_mean(x = %q) {axes = [-1], keep_dims = true}
          %s = add(x = %v, y = %eps)
          %r = sqrt(x = %s)
          %o = real_div(x = %d, y = %r)
          %p = mul(x = %o, y = %g)
          %y = add(x = %p, y = %b)
        }
        """,
      after: """
        func @main(%x: fp32[n, 4]) -> ("y" = %y) {
          %g = const {val = fp32[4](1.0, 2.0, 3.0, 4.0)} : fp32[4]
          %beta = const {val = fp32[4](0.0, 1.0, 0.0, 1.0)} : fp32[4]
          %y = layer_norm(x = %x, gamma = %g, beta = %beta) {axes = [1], epsilon = 9.999999747378752e-06} : fp32[n, 4]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      pipeline: .standard,
      "standard.matmul-affine",
      before: """
        func @main(%x: fp32[n, 2, 4]) -> ("y" = %y) {
          %w = const {val = fp32[4, 3](0.5, -0.25, 1.0, 2.0, 0.125, -1.5, 1.0, -1.0, 0.75, 3.0, -2.0, 0.0)}
          %b = const {val = fp32[1, 3](1.0, 2.0, 3.0)}
          %s = const {val = fp32[3](2.0, 0.5, -1.0)}
          %p = matmul(x = %x, y = %w)
          %q = add(x = %b, y = %p)
          %y = mul(x = %q, y = %s)
        }
        """,
      after: """
        func @main(%x: fp32[n, 2, 4]) -> ("y" = %y) {
          %weight_10 = const {val = fp32[3, 4](1.0, 4.0, 2.0, 6.0, -0.125, 0.0625, -0.5, -1.0, -1.0, 1.5, -0.75, \
        -0.0)} : fp32[3, 4]
          %bias_11 = const {val = fp32[3](2.0, 1.0, -3.0)} : fp32[3]
          %y = linear(x = %x, weight = %weight_10, bias = %bias_11) : fp32[n, 2, 3]
        }
        """,
      sizes: ["n": 3]
    ),
    PassCase(
      pipeline: .standard,
      "standard.transposes-meet",
      before: """
        func @main(%x: fp32[1, 2, 3, 4], %z: fp32[1, 2, 3, 4]) -> ("y" = %y) {
          %a = transpose(x = %x) {perm = [0, 2, 3, 1]}
          %b = relu(x = %a)
          %f = transpose(x = %z) {perm = [0, 2, 3, 1]}
          %h = concat(values = (%b, %f)) {axis = 3}
          %i = reduce_max(x = %h) {axes = [1], keep_dims = true}
          %y = transpose(x = %i) {perm = [0, 3, 1, 2]}
        }
        """,
      after: """
        func @main(%x: fp32[1, 2, 3, 4], %z: fp32[1, 2, 3, 4]) -> ("y" = %reduce_max) {
          %relu = relu(x = %x) : fp32[1, 2, 3, 4]
          %concat = concat(values = (%relu, %z)) {axis = 1} : fp32[1, 4, 3, 4]
          %reduce_max = reduce_max(x = %concat) {axes = [2], keep_dims = true} : fp32[1, 4, 1, 4]
        }
        """
    ),
    PassCase(
      pipeline: .standard,
      "standard.einsum-attention",
      before: """
        func @main(%q: fp32[n, 3, 2, 4], %k: fp32[n, 5, 2, 4], %v: fp32[n, 5, 2, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.5)}
          %g3 = const {val = int64[3](-1, 3, 4)}
          %g5 = const {val = int64[3](-1, 5, 4)}
          %h = const {val = int64[4](-1, 2, 5, 3)}
          %w = const {val = int64[3](-1, 3, 5)}
          %qs = mul(x = %q, y = %s)
          %qt = transpose(x = %qs) {perm = [0, 2, 1, 3]}
          %qr = reshape(x = %qt, shape = %g3)
          %qx = transpose(x = %qr) {perm = [0, 2, 1]}
          %kt = transpose(x = %k) {perm = [0, 2, 1, 3]}
          %kr = reshape(x = %kt, shape = %g5)
          %vt = transpose(x = %v) {perm = [0, 2, 1, 3]}
          %vr = reshape(x = %vt, shape = %g5)
          %p = matmul(x = %kr, y = %qx)
          %a = reshape(x = %p, shape = %h)
          %b = transpose(x = %a) {perm = [0, 1, 3, 2]}
          %c = softmax(x = %b) {axis = 3}
          %d = reshape(x = %c, shape = %w)
          %y = matmul(x = %d, y = %vr)
        }
        """,
      after: """
        func @main(%q: fp32[n, 3, 2, 4], %k: fp32[n, 5, 2, 4], %v: fp32[n, 5, 2, 4]) -> ("y" = %y) {
          %g3 = const {val = int64[3](-1, 3, 4)} : int64[3]
          %g5 = const {val = int64[3](-1, 5, 4)} : int64[3]
          %kt = transpose(x = %k) {perm = [0, 2, 1, 3]} : fp32[n, 2, 5, 4]
          %kr = reshape(x = %kt, shape = %g5) : fp32[2*n, 5, 4]
          %vt = transpose(x = %v) {perm = [0, 2, 1, 3]} : fp32[n, 2, 5, 4]
          %vr = reshape(x = %vt, shape = %g5) : fp32[2*n, 5, 4]
          %transpose = transpose(x = %q) {perm = [0, 2, 1, 3]} : fp32[n, 2, 3, 4]
          %reshape = reshape(x = %transpose, shape = %g3) : fp32[2*n, 3, 4]
          %y = scaled_dot_product_attention(query = %reshape, key = %kr, value = %vr) : fp32[2*n, 3, 4]
        }
        """,
      sizes: ["n": 2]
    ),
    PassCase(
      pipeline: .standard,
      "standard.einsum-other-scale",
      before: """
        func @main(%q: fp32[n, 3, 2, 4], %k: fp32[n, 5, 2, 4], %v: fp32[n, 5, 2, 4]) -> ("y" = %y) {
          %s = const {val = fp32[](0.25)}
          %g3 = const {val = int64[3](-1, 3, 4)}
          %g5 = const {val = int64[3](-1, 5, 4)}
          %h = const {val = int64[4](-1, 2, 5, 3)}
          %w = const {val = int64[3](-1, 3, 5)}
          %qs = mul(x = %q, y = %s)
          %qt = transpose(x = %qs) {perm = [0, 2, 1, 3]}
          %qr = reshape(x = %qt, shape = %g3)
          %qx = transpose(x = %qr) {perm = [0, 2, 1]}
          %kt = transpose(x = %k) {perm = [0, 2, 1, 3]}
          %kr = reshape(x = %kt, shape = %g5)
          %vt = transpose(x = %v) {perm = [0, 2, 1, 3]}
          %vr = reshape(x = %vt, shape = %g5)
          %p = matmul(x = %kr, y = %qx)
          %a = reshape(x = %p, shape = %h)
          %b = transpose(x = %a) {perm = [0, 1, 3, 2]}
          %c = softmax(x = %b) {axis = 3}
          %d = reshape(x = %c, shape = %w)
          %y = matmul(x = %d, y = %vr)
        }
        """,
      after: """
        func @main(%q: fp32[n, 3, 2, 4], %k: fp32[n, 5, 2, 4], %v: fp32[n, 5, 2, 4]) -> ("y" = %y) {
          %g3 = const {val = int64[3](-1, 3, 4)} : int64[3]
          %g5 = const {val = int64[3](-1, 5, 4)} : int64[3]
          %kt = transpose(x = %k) {perm = [0, 2, 1, 3]} : fp32[n, 2, 5, 4]
          %kr = reshape(x = %kt, shape = %g5) : fp32[2*n, 5, 4]
          %vt = transpose(x = %v) {perm = [0, 2, 1, 3]} : fp32[n, 2, 5, 4]
          %vr = reshape(x = %vt, shape = %g5) : fp32[2*n, 5, 4]
          %transpose = transpose(x = %q) {perm = [0, 2, 1, 3]} : fp32[n, 2, 3, 4]
          %reshape = reshape(x = %transpose, shape = %g3) : fp32[2*n, 3, 4]
          %scalar = const {val = fp32[](0.5)} : fp32[]
          %mul = mul(x = %reshape, y = %scalar) : fp32[2*n, 3, 4]
          %y = scaled_dot_product_attention(query = %mul, key = %kr, value = %vr) : fp32[2*n, 3, 4]
        }
        """,
      sizes: ["n": 2]
    ),
    PassCase(
      pipeline: .standard,
      "standard.compressed-weights",
      before: """
        func @main(%x: fp32[1, 2, 3, 3]) -> ("y" = %y) {
          %i = const {val = uint4[4, 2, 1, 1](1, 2, 3, 4, 5, 6, 7, 8)}
          %t = const {val = fp32[1, 1, 1, 1, 16, 1](0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)}
          %w = constexpr_lut_to_dense(indices = %i, lut = %t)
          %m = const {val = fp32[4](1, 2, 3, 4)}
          %c = conv(x = %x, weight = %w)
          %n = batch_norm(x = %c, mean = %m, variance = %m, gamma = %m, beta = %m)
          %v = constexpr_lut_to_dense(indices = %i, lut = %t)
          %d = conv(x = %x, weight = %v)
          %y = add(x = %n, y = %d)
        }
        """,
      after: nil
    ),
    PassCase(
      pipeline: .portable,
      "portable.attention",
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
      after: nil
    ),
  ]
}
