import MLCCore
import MLCGraph
import MLCPasses
import Testing

@Test func reshapesMergeAndCancel() throws {
  let before = try function(
    "%x: fp32[n, 2, 6]",
    "y z",
    """
    %s = const {val = int64[3](0, -1, 3)}
    %t = const {val = int64[3](-1, 2, 6)}
    %a = reshape(x = %x, shape = %s)
    %b = expand_dims(x = %a) {axes = [1]}
    %c = transpose(x = %b) {perm = [1, 0, 2, 3]}
    %d = squeeze(x = %c) {axes = [0]}
    %y = abs(x = %d)
    %e = reshape(x = %d, shape = %t)
    %z = exp(x = %e)
    """
  )
  try expectRewrite(before, PassPipeline([MergeReshapes()]), "reshape abs exp", sizes: ["n": 2])
}

@Test func transposesMeetAndCancel() throws {
  let before = try function(
    "%x: fp32[1, 2, 3, 4]",
    "y",
    """
    %c = const {val = fp32[2](1.0, -2.0)}
    %p = const {val = int32[8](0, 0, 1, 2, 0, 1, 0, 0)}
    %a = transpose(x = %x) {perm = [0, 2, 3, 1]}
    %b = relu(x = %a)
    %d = add(x = %b, y = %c)
    %e = pad(x = %d, pad = %p)
    %f = transpose(x = %x) {perm = [0, 2, 3, 1]}
    %g = pad(x = %f, pad = %p)
    %h = concat(values = (%e, %g)) {axis = 3}
    %i = reduce_max(x = %h) {axes = [1], keep_dims = true}
    %y = transpose(x = %i) {perm = [0, 3, 1, 2]}
    """
  )
  let pipeline = PassPipeline([MergeTransposes(), SinkTransposes()])
  let separate = before.body.operations.filter { $0.name == "transpose" }.count
  #expect(separate == 3)
  // The two equal transpositions are one with two readers, which stays where it is.
  try expectRewrite(before, pipeline, "transpose relu add pad pad concat reduce_max transpose")
  let single = try function(
    "%x: fp32[1, 2, 3, 4], %z: fp32[1, 2, 3, 4]",
    "y",
    """
    %c = const {val = fp32[2](1.0, -2.0)}
    %p = const {val = int32[8](0, 0, 1, 2, 0, 1, 0, 0)}
    %a = transpose(x = %x) {perm = [0, 2, 3, 1]}
    %b = relu(x = %a)
    %d = add(x = %b, y = %c)
    %e = pad(x = %d, pad = %p)
    %f = transpose(x = %z) {perm = [0, 2, 3, 1]}
    %g = pad(x = %f, pad = %p)
    %h = concat(values = (%e, %g)) {axis = 3}
    %i = reduce_max(x = %h) {axes = [1], keep_dims = true}
    %y = transpose(x = %i) {perm = [0, 3, 1, 2]}
    """
  )
  try expectRewrite(single, pipeline, "relu add pad pad concat reduce_max")
}

@Test func reductionsDropTransposes() throws {
  let before = try function(
    "%x: fp32[2, 3, 4, 5]",
    "y",
    """
    %a = transpose(x = %x) {perm = [0, 2, 3, 1]}
    %y = reduce_mean(x = %a) {axes = [1, 2]}
    """
  )
  try expectRewrite(before, PassPipeline([SinkTransposes()]), "reduce_mean")
}

@Test func constantArithmeticMerges() throws {
  let before = try function(
    "%x: fp32[2, 3], %i: int32[2]",
    "y z",
    """
    %a = const {val = fp32[3](1.0, 2.0, 3.0)}
    %b = const {val = fp32[](4.0)}
    %k = const {val = int32[](4)}
    %c = add(x = %x, y = %a)
    %d = sub(x = %c, y = %b)
    %e = real_div(x = %d, y = %a)
    %y = mul(x = %b, y = %e)
    %z = real_div(x = %i, y = %k)
    """
  )
  try expectRewrite(before, PassPipeline([MergeConstantArithmetic()]), "add mul real_div", tolerance: 1e-6)
}

@Test func scalesSinkBehindProducts() throws {
  let before = try function(
    "%x: fp32[2, 3], %y: fp32[3, 2]",
    "z",
    """
    %a = const {val = fp32[](0.5)}
    %b = const {val = fp32[1](3.0)}
    %c = mul(x = %x, y = %a)
    %d = mul(x = %b, y = %y)
    %z = matmul(x = %c, y = %d)
    """
  )
  try expectRewrite(before, PassPipeline([SinkScales()]), "matmul mul", tolerance: SinkScales.tolerance)
}
