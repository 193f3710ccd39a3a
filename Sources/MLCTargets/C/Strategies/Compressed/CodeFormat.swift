import MLCCore
import MLCKernels

/// How a compressed weight lies in memory for kernels of one vector width, and what they do to a code.
///
/// One buffer holds, each part from a multiple of 64 bytes on and panel after panel:
/// - codes: `[run][word][vector][lane]`, 32-bit words of `perWord` codes of following steps, the first in the lowest
///   bits. A run starts a new word;
/// - scales and offsets: `[run][vector][lane]`, float32;
/// - palettes of up to 16 values: `[run][vector][16]`, repeated to fill 16; or one for all;
/// - longer palettes: all of them once, and `[run][vector][lane]` where the lane's begins, int32.
///
/// A run is as many steps as share scale, offset and palette.
struct CodeFormat: Hashable, Sendable {
  enum Decoder: Hashable, Sendable {
    /// A code is a number.
    case number(isSigned: Bool)
    /// A code is looked up among 16 values in registers; `isShared` when all vectors have the same.
    case table(isShared: Bool)
    /// A code is looked up in memory; `isShared` when all lanes have the same palette.
    case gather(isShared: Bool)
  }
  let lanes: Int, bits: Int
  let steps: Int, run: Int
  let vectors: Int
  let decoder: Decoder
  let hasScale: Bool, hasOffset: Bool
  /// Floats of all palettes.
  let paletteCount: Int

  var perWord: Int { 32 / bits }
  var runs: Int { steps / run }
  var wordsPerRun: Int { (run + perWord - 1) / perWord }
  /// Words of one lane.
  var words: Int { runs * wordsPerRun }

  // MARK: Where the parts begin, in bytes

  private static func aligned(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
  private var perRunBytes: Int { CodeFormat.aligned(runs * vectors * lanes * 4) }
  var scales: Int { CodeFormat.aligned(words * vectors * lanes * 4) }
  var offsets: Int { scales + (hasScale ? perRunBytes : 0) }
  var palettes: Int { offsets + (hasOffset ? perRunBytes : 0) }
  var starts: Int {
    switch decoder {
    case .number: palettes
    case .table(let isShared): palettes + (isShared ? 64 : runs * vectors * 64)
    case .gather: palettes + CodeFormat.aligned(paletteCount * 4)
    }
  }
  var byteCount: Int { if case .gather(false) = decoder { starts + perRunBytes } else { starts } }
}

extension CodeFormat {
  /// How `constant` would lie for `grid`, and which block each lane and step has; `nil` when nothing would be saved by
  /// it, or when blocks lie across lanes and steps.
  static func choose(_ constant: CompressedConstant, _ grid: WeightGrid, lanes: Int) -> (CodeFormat, CodeBlocks)? {
    guard case .codes(let codes) = constant.elements, !grid.steps.isEmpty, !grid.lanes.isEmpty,
      let blocks = CodeBlocks(constant, grid)
    else { return nil }
    let format = CodeFormat(
      lanes: lanes,
      bits: codes.dtype.bitWidth,
      steps: grid.steps.count,
      run: blocks.run,
      vectors: grid.lanes.count / lanes,
      decoder: decoder(constant, codes, blocks, lanes),
      hasScale: constant.scale != nil,
      hasOffset: constant.offset.map { $0.values.contains { $0 != 0 } } ?? false,
      paletteCount: constant.palette?.values.count ?? 0
    )
    return format.byteCount <= grid.lanes.count * grid.steps.count * 3 ? (format, blocks) : nil
  }

  private static func decoder(_ constant: CompressedConstant, _ codes: Tensor, _ blocks: CodeBlocks, _ lanes: Int)
    -> Decoder
  {
    guard let palette = constant.palette else {
      // Sixteen numbers in one register are looked up faster than they are extended and converted.
      let isTable = codes.dtype.bitWidth <= 4 && lanes == 16
      return isTable ? .table(isShared: true) : .number(isSigned: codes.dtype.isSigned)
    }
    // Vectors of four have no look-up among 16 values.
    if codes.dtype.bitWidth > 4 || lanes < 8 { return .gather(isShared: palette.blocks == 1) }
    if palette.blocks == 1 { return .table(isShared: true) }
    let isAligned = stride(from: 0, to: blocks.palette.lanes.count, by: lanes).allSatisfy { first in
      Set(blocks.palette.lanes[first..<first + lanes]).count == 1
    }
    return isAligned ? .table(isShared: false) : .gather(isShared: false)
  }
}

/// The blocks of scales and palettes over a weight's grid.
struct CodeBlocks {
  let scale: (lanes: [Int], steps: [Int]), palette: (lanes: [Int], steps: [Int])
  /// Steps that share all blocks: the greatest number that divides the steps at every change.
  let run: Int

  init?(_ constant: CompressedConstant, _ grid: WeightGrid) {
    guard let scale = grid.blocks(constant.scale ?? constant.offset, of: constant.shape),
      var palette = grid.blocks(constant.palette, of: constant.shape)
    else { return nil }
    // Lanes without a column take what their neighbour has, so that a vector's palette may be one.
    for lane in grid.lanes.indices where lane > 0 && grid.lanes[lane] < 0 {
      palette.lanes[lane] = palette.lanes[lane - 1]
    }
    (self.scale, self.palette) = (scale, palette)
    var run = grid.steps.count
    for step in grid.steps.indices.dropFirst()
    where scale.steps[step] != scale.steps[step - 1] || palette.steps[step] != palette.steps[step - 1] {
      run = CodeBlocks.greatestCommonDivisor(run, step)
    }
    self.run = run
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return x
  }
}

extension CodeFormat {
  /// `i4`, `u8`, `lut4`: part of a symbol.
  var label: String {
    switch decoder {
    case .number(let isSigned): "\(isSigned ? "i" : "u")\(bits)"
    case .table, .gather: paletteCount == 0 ? "q\(bits)" : "lut\(bits)"
    }
  }
}
