import MILBuilder

/// How strongly a grey picture changes at each pixel: `√(gx² + gy²)` of Sobel's two filters.
enum Edges {
  static func program() throws -> ProgramBuilder {
    let program = ProgramBuilder()
    program.metadata["description"] = "Edges of a picture"
    try program.function { f in
      let picture = try f.image("picture", height: .range(8...1024), width: .range(8...1024), colorLayout: .grayscale)
      let sobel = Constant(
        shape: [2, 1, 3, 3],
        [-1, 0, 1, -2, 0, 2, -1, 0, 1] + [-1, -2, -1, 0, 0, 0, 1, 2, 1] as [Float]
      )
      let slopes = try f.conv(x: picture, weight: sobel, pad_type: "same")
      let squares = try f.reduce_sum_square(x: slopes, axes: [1], keep_dims: true)
      try f.output("edges", f.sqrt(x: squares))
    }
    return program
  }
}
