import MLCCore
import MLCKernels

/// Sums that begin as float16, `h<pixel>_<register>`, and are added to those of float32 when they have had their steps.
extension DirectConvNCHWc {
  /// Bytes of one weight, or of two or four that a word holds.
  var weightBytes: Int { problem.areHalves ? 2 : 4 }

  private func sums(_ tile: ConvolutionTile) -> [String] { (0..<tile.pixels).map { "h\($0)" } }

  func declareHalves(_ tile: ConvolutionTile) -> CCode {
    let halves = HalfSums(vectors: tile.vectors)
    return CCode(lines: sums(tile).map { halves.declaration($0) } + ["int had = 0;", "(void)had;"])
  }

  func addHalves(_ tile: ConvolutionTile) -> CCode {
    let halves = HalfSums(vectors: tile.vectors)
    return CCode(
      lines: sums(tile).enumerated().map { pixel, name in halves.addition(name) { "c\(pixel)_\($0)" } }
    )
  }

  /// After the channels of a block: adds the sums where the next block's would be too many.
  func addFullHalves(_ tile: ConvolutionTile) -> CCode {
    let halves = HalfSums(vectors: tile.vectors)
    let blocks = Swift.max(1, RoundedFactors.stepsOfHalves / problem.block)
    return """
      if (__builtin_expect(++had == \(blocks), 0)) {
        \(addHalves(tile))
        \(CCode(lines: sums(tile).map { halves.reset($0) }))
        had = 0;
      }
      """
  }

  /// The products of the first `lanes` channels of the blocks at `addresses`, one for each pixel, in fours.
  func halfProducts(_ tile: ConvolutionTile, _ addresses: [String], lanes: Int) -> CCode {
    let (halves, reader) = (HalfSums(vectors: tile.vectors), reader(tile.vectors))
    func steps(_ first: Int, _ count: Int) -> CCode {
      let rows = zip(sums(tile), addresses).map { name, address in
        (address: "\(address) + \(first)", sums: { (_: Int) in name })
      }
      let code = halves.steps(count, rows) { "\(reader.address($1)) + \($0 * reader.row)" }
      return .block(code + CCode(reader.advance(by: "\(count * reader.row)")))
    }
    let stride = HalfSums.stride
    let whole = lanes / stride * stride
    let fours = Swift.stride(from: 0, to: whole, by: stride).map { steps($0, stride) }
    return fours.joined() + (whole..<lanes).map { steps($0, 1) }.joined() + addFullHalves(tile)
  }
}
