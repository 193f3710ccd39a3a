import MLCCore
import MLCGraph
import MLCOps
import MLCPasses
import Testing

/// Three-dimensional convolutions beside the two-dimensional ones that they become.
@Suite struct PlanesOfConv3DTests {
  private static func conv(_ attributes: String, depth: Int, filters: Int = 18, x: String) throws -> Function {
    let shape = [filters, 16, depth, 3, 3]
    var state: UInt64 = 5
    let values = (0..<shape.reduce(1, *)).map { _ -> Double in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24) - 0.5
    }
    return try function(
      "%x: \(x)",
      "y",
      "%w = const {val = fp32[\(shape.map { "\($0)" }.joined(separator: ", "))]@blob(0)}\n"
        + "%y = conv(x = %x, weight = %w) {\(attributes)}",
      blobs: [Tensor(.float32, shape, values)]
    )
  }

  private static func flattened(_ function: Function) throws -> Function {
    var rewritten = function
    var options = PassOptions()
    options.verifies = true
    try PassPipeline([PlanesOfConv3D()]).run(&rewritten, options: options)
    return rewritten
  }

  @Test func becomePlanes() throws {
    let batch = "fp32[n, 16, 5, 6, 7]"
    for (attributes, depth) in [
      ("pad = [1, 1, 1, 1, 1, 1]", 3), ("", 3), ("pad = [0, 0, 1, 1, 1, 1]", 1),
      ("pad = [2, 1, 1, 0, 0, 2], strides = [2, 1, 1]", 3), ("pad = [2, 2, 2, 2, 1, 1], dilations = [2, 2, 1]", 2),
      ("strides = [3, 1, 1], pad_type = \"valid\"", 2),
    ] {
      let old = try Self.conv(attributes, depth: depth, x: batch)
      let new = try Self.flattened(old)
      let ranks = new.body.operations.filter { $0.op is Conv }.map { new.type($0.inputs[0][0]).rank }
      #expect(ranks == [4], "\(attributes): \(operators(new))")
      for n in [1, 2] {
        let given = inputs(old, sizes: ["n": n])
        let problem = movement(
          try Interpreter(old).run(given),
          try Interpreter(new).run(given),
          tolerance: PlanesOfConv3D.tolerance
        )
        #expect(problem == nil, "\(attributes), batch \(n)")
      }
    }
  }

  /// Strides along rows, open extents, few filters.
  @Test func othersStay() throws {
    let whole = "fp32[1, 16, 5, 6, 7]"
    for function in [
      try Self.conv("strides = [1, 2, 1]", depth: 3, x: whole),
      try Self.conv("", depth: 3, x: "fp32[1, 16, d, 6, 7]"),
      try Self.conv("", depth: 3, filters: 4, x: whole),
    ] { #expect(operators(try Self.flattened(function)) == "conv") }
  }
}
