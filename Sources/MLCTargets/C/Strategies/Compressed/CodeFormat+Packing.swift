import MLCCore
import MLCKernels

extension CodeFormat {
  /// The bytes of `constant` in this format.
  func pack(_ constant: CompressedConstant, _ grid: WeightGrid, _ blocks: CodeBlocks) -> Tensor {
    guard case .codes(let codes) = constant.elements else { preconditionFailure("a sparse weight has no codes") }
    return Tensor(.uint8, [byteCount]) { (bytes: UnsafeMutableBufferPointer<UInt8>) in
      guard let base = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
      codes.codes.withUnsafeBufferPointer { packCodes($0, grid, base.assumingMemoryBound(to: UInt32.self)) }
      if hasScale, let scale = constant.scale { spread(scale, blocks.scale, grid, base + scales) }
      if hasOffset, let offset = constant.offset { spread(offset, blocks.scale, grid, base + offsets) }
      packPalettes(constant, codes.dtype, grid, blocks, base)
    }
  }

  private func packCodes(
    _ codes: UnsafeBufferPointer<UInt8>,
    _ grid: WeightGrid,
    _ out: UnsafeMutablePointer<UInt32>
  ) {
    let mask = UInt32((1 << bits) - 1)
    var first = 0
    for width in grid.panels {
      let panel = out + first * words * lanes
      for lane in 0..<width * lanes {
        let start = grid.lanes[first * lanes + lane]
        if start < 0 { continue }
        for step in 0..<steps {
          let (run, inside) = step.quotientAndRemainder(dividingBy: self.run)
          let word = run * wordsPerRun + inside / perWord
          let code = UInt32(codes[start + grid.steps[step]]) & mask
          panel[word * width * lanes + lane] |= code << UInt32(inside % perWord * bits)
        }
      }
      first += width
    }
  }

  /// `[run][vector][lane]` numbers of blocks.
  private func spread(
    _ values: BlockValues,
    _ blocks: (lanes: [Int], steps: [Int]),
    _ grid: WeightGrid,
    _ out: UnsafeMutableRawPointer
  ) {
    let out = out.assumingMemoryBound(to: Float.self)
    forEachRun(grid) { place, lane, step in out[place] = values.values[blocks.lanes[lane] + blocks.steps[step]] }
  }

  /// Calls `body` with each place of `[run][vector][lane]` that has a column, its lane, and the run's first step.
  private func forEachRun(_ grid: WeightGrid, _ body: (Int, Int, Int) -> Void) {
    var first = 0
    for width in grid.panels {
      for run in 0..<runs {
        for lane in 0..<width * lanes where grid.lanes[first * lanes + lane] >= 0 {
          body((first * runs + run * width) * lanes + lane, first * lanes + lane, run * self.run)
        }
      }
      first += width
    }
  }

  private func packPalettes(
    _ constant: CompressedConstant,
    _ dtype: DType,
    _ grid: WeightGrid,
    _ blocks: CodeBlocks,
    _ base: UnsafeMutableRawPointer
  ) {
    let values = constant.palette?.values ?? CompressedConstant.numbers(dtype)
    let out = (base + palettes).assumingMemoryBound(to: Float.self)
    let width = 1 << bits
    func fill(_ place: Int, _ block: Int) {
      for entry in 0..<16 { out[place * 16 + entry] = values[block * width + entry % width] }
    }
    switch decoder {
    case .number: break
    case .table(true): fill(0, 0)
    case .table(false):
      forEachRun(grid) { place, lane, step in
        if place % lanes == 0 { fill(place / lanes, blocks.palette.lanes[lane] + blocks.palette.steps[step]) }
      }
    case .gather(let isShared):
      for (index, value) in values.enumerated() { out[index] = value }
      if isShared { return }
      let starts = (base + starts).assumingMemoryBound(to: Int32.self)
      forEachRun(grid) { place, lane, step in
        let block = blocks.palette.lanes[lane] + blocks.palette.steps[step]
        starts[place] = Int32(truncatingIfNeeded: block * width)
      }
    }
  }
}
