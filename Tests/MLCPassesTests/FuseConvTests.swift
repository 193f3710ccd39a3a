import MLCCore
import MLCGraph
import MLCPasses
import Testing

private let pipeline = PassPipeline([FuseConvBatchNorm(), FuseAffineIntoConv()])
private let statistics = """
  %m = const {val = fp32[4](0.5, -1.0, 0.25, 2.0)}
  %v = const {val = fp32[4](1.0, 0.5, 2.0, 0.25)}
  %g = const {val = fp32[4](1.5, 0.5, -1.0, 2.0)}
  %b = const {val = fp32[4](0.0, 1.0, 2.0, -3.0)}
  """

/// A constant of ascending numbers.
private func blob(_ shape: [Int]) -> Tensor {
  Tensor(.float32, shape, (0..<shape.reduce(1, *)).map { Double($0 % 7) / 4 - 0.6 })
}

@Test(arguments: [
  ("conv", "", [4, 2, 3, 3]), ("conv", " {pad = [1, 1, 1, 1], groups = 2}", [4, 1, 3, 3]),
  ("conv_transpose", "", [2, 4, 3, 3]), ("conv_transpose", " {groups = 2, strides = [2, 1]}", [2, 2, 2, 3]),
])
func batchNormGoesIntoConvolutions(op: String, attributes: String, shape: [Int]) throws {
  let body = """
    \(statistics)
    %w = const {val = fp32\(shape)@blob(0)}
    %c = \(op)(x = %x, weight = %w)\(attributes) loc(node "Conv_0" op "Conv")
    %y = batch_norm(x = %c, mean = %m, variance = %v, gamma = %g, beta = %b) loc(node "BN_0" op "BatchNormalization")
    """
  let before = try function("%x: fp32[1, 2, 5, 5]", "y", body, blobs: [blob(shape)])
  let after = try expectRewrite(before, pipeline, op, tolerance: FuseConvBatchNorm.tolerance)
  #expect(after.body.operations.last?.origin.node == "Conv_0")
}

@Test func affineArithmeticGoesIntoConvolutions() throws {
  let body = """
    \(statistics)
    %s = const {val = fp32[4, 1, 1](1.0, 2.0, 3.0, 4.0)}
    %t = const {val = fp32[1, 4, 1, 1](1.0, -2.0, 3.0, 0.5)}
    %w = const {val = fp32[4, 2, 3, 3]@blob(0)}
    %a = conv(x = %x, weight = %w, bias = %b)
    %p = mul(x = %s, y = %a)
    %q = sub(x = %t, y = %p)
    %y = real_div(x = %q, y = %s)
    """
  let before = try function("%x: fp32[n, 2, 5, 5]", "y", body, blobs: [blob([4, 2, 3, 3])])
  try expectRewrite(before, pipeline, "conv", tolerance: 1e-4, sizes: ["n": 2])
}

/// The sum along the last axis is none by channel, and a second reader keeps the convolution.
@Test func otherArithmeticStays() throws {
  let body = """
    %t = const {val = fp32[4](1.0, -2.0, 3.0, 0.5)}
    %w = const {val = fp32[4, 2, 2, 2]@blob(0)}
    %a = conv(x = %x, weight = %w)
    %y = add(x = %a, y = %t)
    %s = const {val = fp32[](2.0)}
    %b = conv(x = %x, weight = %w) {strides = [2, 2]}
    %c = mul(x = %b, y = %s)
    %d = exp(x = %b)
    %z = add(x = %c, y = %d)
    """
  let before = try function("%x: fp32[1, 2, 5, 5]", "y z", body, blobs: [blob([4, 2, 2, 2])])
  try expectRewrite(before, pipeline, "conv add conv mul exp add")
}

@Test func inputNormalisationGoesIntoTheConvolution() throws {
  let body = """
    %s = const {val = fp32[1, 2, 1, 1](0.5, 2.0)}
    %t = const {val = fp32[1, 2, 1, 1](1.0, -3.0)}
    %w = const {val = fp32[4, 1, 3, 3]@blob(0)}
    %n = mul(x = %x, y = %s)
    %m = add(x = %n, y = %t)
    %y = conv(x = %m, weight = %w) {groups = 2}
    """
  let before = try function("%x: fp32[1, 2, 5, 5]", "y", body, blobs: [blob([4, 1, 3, 3])])
  try expectRewrite(before, pipeline, "conv", tolerance: 1e-4)
  let padded = try function(
    "%x: fp32[1, 2, 5, 5]",
    "y",
    body.replacing("{groups = 2}", with: "{groups = 2, pad = [1, 1, 1, 1]}"),
    blobs: [blob([4, 1, 3, 3])]
  )
  try expectRewrite(padded, pipeline, "mul add conv")
}

@Test func biasGoesIntoLinear() throws {
  let body = """
    %w = const {val = fp32[4, 3]@blob(0)}
    %b = const {val = fp32[1, 3](1.0, 2.0, 3.0)}
    %s = const {val = fp32[3](2.0, 0.5, -1.0)}
    %p = matmul(x = %x, y = %w)
    %q = add(x = %b, y = %p)
    %y = mul(x = %q, y = %s)
    """
  let before = try function("%x: fp32[n, 2, 4]", "y", body, blobs: [blob([4, 3])])
  let passes = PassPipeline([FuseMatmulBias(), FuseConvBatchNorm()])
  try expectRewrite(before, passes, "linear", tolerance: 1e-5, sizes: ["n": 3])
  let transposed = try function(
    "%x: fp32[n, 2, 4]",
    "y",
    body.replacing("[4, 3]", with: "[3, 4]").replacing("y = %w)", with: "y = %w) {transpose_y = true}"),
    blobs: [blob([3, 4])]
  )
  try expectRewrite(transposed, passes, "linear", tolerance: 1e-5, sizes: ["n": 3])
}
