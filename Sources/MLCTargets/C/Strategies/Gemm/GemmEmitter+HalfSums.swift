import MLCKernels

/// Sums that begin as float16, `h<row>_<chain>_<register>`.
extension GemmEmitter {
  private var halves: HalfSums { HalfSums(vectors: 2 * plan.tile.vectors) }

  /// All steps of k, in runs after which sums of float16 are added to those of float32.
  func runs(_ rows: Int, chains: Int) -> CCode {
    let sums = (0..<rows).flatMap { row in (0..<chains).map { (row, "h\(row)_\($0)") } }
    let (most, stride) = (RoundedFactors.stepsOfHalves, HalfSums.stride)
    return .block(
      "while (k < depth)",
      """
      const int64_t end = depth - k < \(most) ? depth : k + \(most);
      \(CCode(lines: sums.map { halves.declaration($1) }))
      \(CCode.block("for (; k + \(stride) <= end; k += \(stride))", steps(stride, rows, chains: chains)))
      \(CCode.block("for (; k < end; k++)", steps(1, rows, chains: 1)))
      \(CCode(lines: sums.map { row, name in halves.addition(name) { "c\(row)_\($0)_0" } }))
      """
    )
  }

  private func steps(_ count: Int, _ rows: Int, chains: Int) -> CCode {
    let (rowStride, kStride) = leftStrides
    let rows = (0..<rows).map { row in
      (address: "a + \(row) * \(rowStride) + k * \(kStride)", sums: { (step: Int) in "h\(row)_\(step % chains)" })
    }
    let row = plan.width
    return halves.steps(count, rows) { step, vector in "b + \(step * row) + \(vector) * VL" }
      + CCode(reader.advance(by: "\(count * row)"))
  }
}
