import MLCCore
import MLCGraph
import MLCPasses
import Testing

private let pipeline = PassPipeline([FusePadIntoConv()])
private let weight = Tensor(.float32, [3, 2, 2, 2], (0..<24).map { Double($0 % 7) / 4 - 0.6 })

@Test(arguments: [
  ("[0, 1, 2, 0]", "[](0.0)", "{strides = [2, 2]}", "conv"),
  ("[0, 0, 0, 0, 1, 1, 1, 1]", "[](0.0)", "{pad = [1, 0, 0, 2]}", "conv"),
  // channels, another number than zero, elements taken away, padding that is not given in numbers
  ("[0, 0, 0, 1, 0, 0, 0, 0]", "[](0.0)", "", "pad conv"),
  ("[0, 1, 2, 0]", "[](1.0)", "", "pad conv"),
  ("[0, -1, 0, 0]", "[](0.0)", "", "pad conv"),
  ("[0, 1, 2, 0]", "[](0.0)", "{pad_type = \"same\"}", "pad conv"),
])
func zerosAroundBecomePadding(amounts: String, value: String, attributes: String, expected: String) throws {
  let numbers = amounts.dropFirst().dropLast()
  let count = numbers.split(separator: ",").count
  let body = """
    %w = const {val = fp32[3, 2, 2, 2]@blob(0)}
    %a = const {val = int32[\(count)](\(numbers))}
    %v = const {val = fp32\(value)}
    %p = pad(x = %x, pad = %a, constant_val = %v)
    %y = conv(x = %p, weight = %w) \(attributes)
    """
  let before = try function(
    amounts.hasPrefix("[0, 0, 0, 1") ? "%x: fp32[1, 1, 5, 4]" : "%x: fp32[1, 2, 5, 4]",
    "y",
    body,
    blobs: [weight]
  )
  try expectRewrite(before, pipeline, expected)
}

/// The padded tensor stays for whoever else reads it.
@Test func otherReadersKeepTheBorder() throws {
  let body = """
    %w = const {val = fp32[3, 2, 2, 2]@blob(0)}
    %a = const {val = int32[4](1, 1, 1, 1)}
    %p = pad(x = %x, pad = %a)
    %y = conv(x = %p, weight = %w)
    %z = relu(x = %p)
    """
  let before = try function("%x: fp32[1, 2, n, 4]", "y z", body, blobs: [weight])
  try expectRewrite(before, pipeline, "pad conv relu", sizes: ["n": 3])
}
