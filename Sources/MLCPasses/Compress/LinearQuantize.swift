import CMLCNumerics
import MLCCore
import MLCOps

/// Linear quantisation of a weight: for each block the scale, among a few that cut off ever more of the greatest
/// elements, with the least squared error.
struct LinearQuantizer {
  let weight: WeightData
  let options: LinearQuantization
  private let layout: BlockLayout
  private let low: Int, high: Int

  /// Throws `Untouched` when the weight does not divide into the blocks.
  init(_ weight: WeightData, _ options: LinearQuantization, outputAxis: Int, inputAxis: Int) throws(Untouched) {
    (self.weight, self.options) = (weight, options)
    let levels = 1 << options.dtype.bitWidth
    (low, high) = options.dtype.isSigned ? (-levels / 2, levels / 2 - 1) : (0, levels - 1)
    let sizes: [Int]
    switch options.granularity {
    case .tensor: sizes = [Int](repeating: 0, count: weight.shape.count)
    case .channel: sizes = weight.shape.indices.map { $0 == outputAxis ? 1 : 0 }
    case .groups(let size): sizes = weight.shape.indices.map { $0 == outputAxis ? size : 0 }
    case .block(let size): sizes = weight.shape.indices.map { $0 == outputAxis ? 1 : $0 == inputAxis ? size : 0 }
    case .blocks(let list):
      guard list.count == weight.shape.count else {
        throw Untouched("\(list.count) block sizes for \(weight.shape.count) axes")
      }
      sizes = list
    }
    guard let layout = BlockLayout(weight.shape, sizes: sizes) else {
      throw Untouched("\(weight.shape) does not divide into blocks of \(sizes)")
    }
    self.layout = layout
  }

  func run() -> ConstantFragment {
    var codes = [UInt8](repeating: 0, count: weight.values.count)
    var (scales, zeros) = (
      [Float](repeating: 1, count: layout.blockCount), [Int](repeating: 0, count: layout.blockCount)
    )
    var values = [Float](repeating: 0, count: layout.blockSize)
    var part = [UInt8](repeating: 0, count: layout.blockSize)
    for block in 0..<layout.blockCount {
      layout.gather(block, from: weight.values, into: &values)
      (scales[block], zeros[block]) = best(values)
      _ = quantize(values, scales[block], zeros[block], &part)
      layout.scatter(block, from: part, into: &codes)
    }
    return fragment(codes, scales, zeros)
  }

  private func quantize(_ values: [Float], _ scale: Float, _ zero: Int, _ codes: UnsafeMutablePointer<UInt8>?) -> Double
  {
    mlc_quantize(values, values.count, scale, Int32(zero), Int32(low), Int32(high), codes)
  }

  /// How much of the range is kept, the whole first.
  private var shares: [Double] {
    let (count, step) = options.dtype.bitWidth == 4 ? (25, 0.025) : (8, 0.015)
    return (0..<count).map { (index: Int) -> Double in 1 - Double(index) * step }
  }

  private func best(_ values: [Float]) -> (Float, Int) {
    var (least, greatest): (Float, Float) = (0, 0)
    for value in values { (least, greatest) = (min(least, value), max(greatest, value)) }
    var result: (scale: Float, zero: Int, error: Double) = (1, options.dtype.isSigned ? 0 : high / 2 + 1, .infinity)
    guard least < greatest else { return (result.scale, result.zero) }
    for share in shares {
      let (scale, zero) = parameters(Double(least) * share, Double(greatest) * share)
      guard scale > 0, (1 / scale).isFinite else { continue }
      let error = quantize(values, scale, zero, nil)
      if error < result.error { result = (scale, zero, error) }
    }
    return (result.scale, result.zero)
  }

  private func parameters(_ least: Double, _ greatest: Double) -> (Float, Int) {
    if options.isSymmetric {
      let zero = options.dtype.isSigned ? 0 : high / 2 + 1
      return (weight.rounded(max(-least, greatest) / Double(high - zero)), zero)
    }
    let scale = (greatest - least) / Double(high - low)
    let zero = (Double(low) - least / scale).rounded(.toNearestOrEven)
    return (weight.rounded(scale), min(max(Int(zero), low), high))
  }

  private func fragment(_ codes: [UInt8], _ scales: [Float], _ zeros: [Int]) -> ConstantFragment {
    let scale = ConstantFragment.Argument.tensor(weight.tensor(layout.grid, scales), "scale")
    let offset: ConstantFragment.Argument? =
      options.isSymmetric && options.dtype.isSigned ? nil : .tensor(Tensor(options.dtype, layout.grid, zeros), "offset")
    var fragment = ConstantFragment()
    guard let mask = weight.maskTensor else {
      let data = Tensor(options.dtype, weight.shape, codes: codes)
      fragment.append(ConstexprBlockwiseShiftScale(), .tensor(data, "data"), scale, offset)
      return fragment
    }
    let kept = weight.kept(codes)
    let sparse = fragment.append(
      ConstexprSparseBlockwiseShiftScale(),
      .tensor(mask, "mask"),
      .tensor(Tensor(options.dtype, [kept.count], codes: kept), "data"),
      scale,
      offset
    )
    fragment.append(ConstexprSparseToDense(), .result(sparse, output: 1), .result(sparse, output: 0))
    return fragment
  }
}
