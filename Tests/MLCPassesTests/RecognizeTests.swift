import MLCCore
import MLCGraph
import MLCPasses
import Testing

private let scalars = """
  %half = const {val = fp32[](0.5)}
  %one = const {val = fp32[](1.0)}
  %two = const {val = fp32[](2.0)}
  %three = const {val = fp32[](3.0)}
  %six = const {val = fp32[](6.0)}
  %root = const {val = fp32[](1.4142135)}
  %cubic = const {val = fp32[](0.044715)}
  %pi = const {val = fp32[](0.7978846)}
  %eps = const {val = fp32[](1e-05)}

  """

private func activation(_ body: String) throws -> Function { try function("%x: fp32[n, 8]", "y", scalars + body) }

@Test(arguments: [
  (
    "gelu",
    "%a = real_div(x = %x, y = %root)\n%b = erf(x = %a)\n%c = add(x = %b, y = %one)\n%d = mul(x = %x, y = %c)\n"
      + "%y = mul(x = %d, y = %half)"
  ),
  (
    "gelu",
    "%a = real_div(x = %x, y = %root)\n%b = erf(x = %a)\n%c = add(x = %one, y = %b)\n"
      + "%d = mul(x = %half, y = %x)\n%y = mul(x = %c, y = %d)"
  ),
  (
    "gelu",
    "%a = pow(x = %x, y = %three)\n%b = mul(x = %a, y = %cubic)\n%c = add(x = %x, y = %b)\n"
      + "%d = mul(x = %c, y = %pi)\n%e = tanh(x = %d)\n%f = add(x = %e, y = %one)\n%g = mul(x = %f, y = %half)\n"
      + "%y = mul(x = %x, y = %g)"
  ),
  (
    "gelu",
    "%a = mul(x = %x, y = %x)\n%b = mul(x = %a, y = %cubic)\n%c = add(x = %b, y = %one)\n"
      + "%d = mul(x = %x, y = %pi)\n%h = mul(x = %d, y = %c)\n%e = tanh(x = %h)\n%f = add(x = %e, y = %one)\n"
      + "%g = mul(x = %x, y = %half)\n%y = mul(x = %g, y = %f)"
  ),
  ("silu", "%a = sigmoid(x = %x)\n%y = mul(x = %a, y = %x)"),
  (
    "hard_swish",
    "%a = add(x = %x, y = %three)\n%b = clip(x = %a) {alpha = 0.0, beta = 6.0}\n%c = mul(x = %x, y = %b)\n"
      + "%y = real_div(x = %c, y = %six)"
  ),
  (
    "hard_swish",
    "%a = add(x = %x, y = %three)\n%b = relu6(x = %a)\n%c = real_div(x = %b, y = %six)\n%y = mul(x = %x, y = %c)"
  ),
  ("hard_swish", "%a = sigmoid_hard(x = %x) {alpha = 0.16666667, beta = 0.5}\n%y = mul(x = %x, y = %a)"),
  ("sigmoid_hard", "%a = add(x = %x, y = %three)\n%b = relu6(x = %a)\n%y = real_div(x = %b, y = %six)"),
  (
    "softmax",
    "%a = reduce_max(x = %x) {axes = [1], keep_dims = true}\n%b = sub(x = %x, y = %a)\n%c = exp(x = %b)\n"
      + "%d = reduce_sum(x = %c) {axes = [-1], keep_dims = true}\n%y = real_div(x = %c, y = %d)"
  ),
  (
    "softmax",
    "%c = exp(x = %x)\n%d = reduce_sum(x = %c) {axes = [-1], keep_dims = true}\n%y = real_div(x = %c, y = %d)"
  ),
])
func activationsAreRecognised(name: String, body: String) throws {
  let before = try activation(body)
  try expectRewrite(before, PassPipeline.standard, name, tolerance: 1e-5, sizes: ["n": 3])
  // Denormal numbers keep fewer digits. Sums of exponentials that overflow are what a softmax is for.
  if name == "softmax" { return }
  var after = before
  try PassPipeline.standard.run(&after)
  let extremes = Tensor(.float32, [1, 8], [.infinity, -.infinity, .nan, -0.0, 1e30, -1e30, 100, -100])
  let (x, y) = (try Interpreter(before).run([extremes])[0].doubles, try Interpreter(after).run([extremes])[0].doubles)
  let isClose = zip(x, y).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN || abs($0 - $1) <= 1e-5 * abs($0) + 1e-38 }
  #expect(isClose, "\(x), \(y)")
}

/// Near misses keep what they compute.
@Test(arguments: [
  "%a = real_div(x = %x, y = %two)\n%b = erf(x = %a)\n%c = add(x = %b, y = %one)\n%d = mul(x = %x, y = %c)\n"
    + "%y = mul(x = %d, y = %half)",
  "%a = real_div(x = %x, y = %root)\n%b = erf(x = %a)\n%c = add(x = %b, y = %half)\n%d = mul(x = %x, y = %c)\n"
    + "%y = mul(x = %d, y = %half)",
  "%e = exp(x = %x)\n%a = sigmoid(x = %e)\n%y = mul(x = %a, y = %x)",
  "%a = add(x = %x, y = %two)\n%b = relu6(x = %a)\n%c = mul(x = %x, y = %b)\n%y = real_div(x = %c, y = %six)",
  "%c = exp(x = %x)\n%d = reduce_sum(x = %c) {axes = [0, 1], keep_dims = true}\n%y = real_div(x = %c, y = %d)",
])
func nearMissesStay(body: String) throws {
  var after = try activation(body)
  let before = after
  try PassPipeline.standard.run(&after)
  for name in ["gelu", "silu", "hard_swish", "softmax"] { #expect(!operators(after).contains(name)) }
  let arguments = inputs(before, sizes: ["n": 3])
  let (x, y) = (try Interpreter(before).run(arguments)[0].doubles, try Interpreter(after).run(arguments)[0].doubles)
  #expect(zip(x, y).allSatisfy { abs($0 - $1) <= 1e-5 * max(1, abs($0)) })
}

@Test(arguments: [
  "%q = pow(x = %d, y = %two)\n%v = reduce_mean(x = %q) {axes = [-1], keep_dims = true}\n"
    + "%s = add(x = %v, y = %eps)\n%r = sqrt(x = %s)\n%n = real_div(x = %d, y = %r)",
  "%q = mul(x = %d, y = %d)\n%v = reduce_mean(x = %q) {axes = [1], keep_dims = true}\n"
    + "%s = add(x = %eps, y = %v)\n%r = rsqrt(x = %s) {epsilon = 0.0}\n%n = mul(x = %r, y = %d)",
  "%q = square(x = %d)\n%v = reduce_mean(x = %q) {axes = [1], keep_dims = true}\n%s = add(x = %eps, y = %v)\n"
    + "%t = sqrt(x = %s)\n%r = inverse(x = %t) {epsilon = 0.0}\n%n = mul(x = %d, y = %r)",
])
func layerNormIsRecognised(core: String) throws {
  let body = """
    %g = const {val = fp32[8](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)}
    %b = const {val = fp32[1, 8](0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)}
    %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
    %d = sub(x = %x, y = %m)
    \(core)
    %p = mul(x = %n, y = %g)
    %y = add(x = %p, y = %b)
    """
  try expectRewrite(try activation(body), PassPipeline.standard, "layer_norm", tolerance: 1e-5, sizes: ["n": 3])
}

/// TensorFlow's form: γ/√(v + ε) is one factor of x and of its mean.
@Test(arguments: [
  ("%t = sqrt(x = %s)\n%r = inverse(x = %t) {epsilon = 0.0}\n%f = mul(x = %r, y = %g)", "layer_norm"),
  ("%r = rsqrt(x = %s) {epsilon = 0.0}\n%f = mul(x = %g, y = %r)", "layer_norm"),
  ("%f = rsqrt(x = %s) {epsilon = 0.0}", "layer_norm"),
  ("%f = sqrt(x = %s)", ""),
])
func foldedLayerNormIsRecognised(factor: String, expected: String) throws {
  let body = """
    %g = const {val = fp32[8](1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)}
    %b = const {val = fp32[8](0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)}
    %m = reduce_mean(x = %x) {axes = [-1], keep_dims = true}
    %d = sub(x = %x, y = %m)
    %q = mul(x = %d, y = %d)
    %v = reduce_mean(x = %q) {axes = [1], keep_dims = true}
    %s = add(x = %v, y = %eps)
    \(factor)
    %u = mul(x = %m, y = %f)
    %c = sub(x = %b, y = %u)
    %p = mul(x = %x, y = %f)
    %y = add(x = %p, y = %c)
    """
  let before = try activation(body)
  if !expected.isEmpty {
    try expectRewrite(before, PassPipeline.standard, expected, tolerance: 1e-5, sizes: ["n": 3])
    return
  }
  var after = before
  try PassPipeline.standard.run(&after)
  #expect(!operators(after).contains("layer_norm"))
}

@Test func attentionIsRecognisedUnlessPortable() throws {
  let before = try function(
    "%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: fp32[1, 1, 3, 5]",
    "y",
    """
    %s = const {val = fp32[](0.5)}
    %t = transpose(x = %k) {perm = [0, 1, 3, 2]}
    %a = matmul(x = %q, y = %t)
    %b = mul(x = %a, y = %s)
    %c = add(x = %b, y = %m)
    %d = softmax(x = %c)
    %y = matmul(x = %d, y = %v)
    """
  )
  try expectRewrite(before, PassPipeline.standard, "scaled_dot_product_attention", tolerance: 1e-5)
  try expectRewrite(before, PassPipeline.portable, "transpose matmul mul add softmax matmul", tolerance: 1e-5)
}

/// Scores that a mask replaces, where it is true or where it is false.
@Test(arguments: [
  ("cond = %m, a = %b, b = %c", "scaled_dot_product_attention"),
  ("cond = %m, a = %c, b = %b", "logical_not scaled_dot_product_attention"),
])
func attentionUnderAMaskIsRecognised(select: String, names: String) throws {
  let before = try function(
    "%q: fp32[1, 2, 3, 4], %k: fp32[1, 2, 5, 4], %v: fp32[1, 2, 5, 4], %m: bool[1, 1, 3, 5]",
    "y",
    """
    %s = const {val = fp32[](0.5)}
    %c = const {val = fp32[](-1e9)}
    %a = matmul(x = %q, y = %k) {transpose_y = true}
    %b = mul(x = %a, y = %s)
    %l = select(\(select))
    %d = softmax(x = %l)
    %y = matmul(x = %d, y = %v)
    """
  )
  try expectRewrite(before, PassPipeline.standard, names, tolerance: 1e-5)
}

/// As exporters spell `einsum`: products over grouped heads, of keys with queries, queries scaled before they are
/// rearranged.
@Test(arguments: [("0.5", true), ("0.25", false)])
func attentionOfEinsumsIsRecognised(scale: String, isAttention: Bool) throws {
  let before = try function(
    "%q: fp32[n, 3, 2, 4], %k: fp32[n, 5, 2, 4], %v: fp32[n, 5, 2, 4]",
    "y",
    """
    %s = const {val = fp32[](\(scale))}
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
    """
  )
  var after = before
  try PassPipeline.standard.run(&after)
  let names = operators(after).split(separator: " ")
  #expect(names.contains("scaled_dot_product_attention") == isAttention)
  #expect(names.contains("mul") != isAttention)
  let arguments = inputs(before, sizes: ["n": 2])
  let (x, y) = (try Interpreter(before).run(arguments)[0].doubles, try Interpreter(after).run(arguments)[0].doubles)
  #expect(zip(x, y).allSatisfy { abs($0 - $1) <= 1e-5 })
}
