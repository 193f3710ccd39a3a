import CMLCNumerics
import MLCCore
import MLCOps

/// Palettes for groups of channels of a weight, and each element's place in its palette.
struct Palettizer {
  let weight: WeightData
  let options: Palettization
  let outputAxis: Int
  private let layout: BlockLayout
  private let bits: Int

  /// Throws `Untouched` when the weight does not divide into the groups, or has too many values for `unique`.
  init(_ weight: WeightData, _ options: Palettization, outputAxis: Int) throws(Untouched) {
    (self.weight, self.options, self.outputAxis) = (weight, options, outputAxis)
    layout = try Self.layout(weight.shape, options, outputAxis)
    if let bits = options.bits { self.bits = bits } else { bits = try Self.bits(weight, layout) }
  }

  private static func layout(_ shape: [Int], _ options: Palettization, _ outputAxis: Int) throws(Untouched)
    -> BlockLayout
  {
    var axis = options.axis ?? outputAxis
    if axis < 0 { axis += shape.count }
    guard shape.indices.contains(axis) else { throw Untouched("there is no axis \(axis) for groups") }
    let size: Int
    switch options.granularity {
    case .tensor: size = 0
    case .channel: size = 1
    case .groups(let channels): size = channels
    case .block, .blocks: throw Untouched("palettes are for the tensor or groups of channels, not for blocks")
    }
    guard let layout = BlockLayout(shape, along: axis, size: size) else {
      throw Untouched("\(shape[axis]) channels do not divide into groups of \(size)")
    }
    return layout
  }

  /// The least width that holds every value of each group.
  private static func bits(_ weight: WeightData, _ layout: BlockLayout) throws(Untouched) -> Int {
    var most = 1
    for group in 0..<layout.blockCount {
      most = max(most, values(weight, layout, group).uniqueSorted(limit: 257).count)
    }
    guard let bits = Palettization.widths.first(where: { most <= 1 << $0 }) else {
      throw Untouched("it has more than 256 different values")
    }
    return bits
  }

  /// The kept elements of a group, ascending.
  private static func values(_ weight: WeightData, _ layout: BlockLayout, _ group: Int) -> [Float] {
    var values = [Float](repeating: 0, count: layout.blockSize)
    layout.gather(group, from: weight.values, into: &values)
    if let mask = weight.mask {
      var kept = [UInt8](repeating: 0, count: layout.blockSize)
      layout.gather(group, from: mask, into: &kept)
      values = zip(values, kept).filter { $1 != 0 }.map { $0.0 }
    }
    return values.sortedFloats()
  }

  func run() throws(Untouched) -> ConstantFragment {
    var data = weight
    var scales: [Float] = []
    if options.scalesChannels { scales = data.normalizeChannels(outputAxis) }
    let entries = 1 << bits
    var tables = [Float](repeating: 0, count: layout.blockCount * entries)
    var indices = [UInt8](repeating: 0, count: data.values.count)
    var (block, codes) = (
      [Float](repeating: 0, count: layout.blockSize), [UInt8](repeating: 0, count: layout.blockSize)
    )
    for group in 0..<layout.blockCount {
      let table = try table(data, group)
      tables.replaceSubrange(group * entries..<group * entries + table.count, with: table)
      layout.gather(group, from: data.values, into: &block)
      if !table.isEmpty { mlc_nearest(block, block.count, table, Int32(table.count), &codes) }
      layout.scatter(group, from: codes, into: &indices)
    }
    if options.scalesChannels { refine(&scales, indices, tables) }
    return fragment(indices, tables, scales)
  }

  /// The palette of a group, ascending, in the numbers of the weight's element type.
  private func table(_ data: WeightData, _ group: Int) throws(Untouched) -> [Float] {
    let sorted = Self.values(data, layout, group)
    guard let least = sorted.first, let greatest = sorted.last else { return [] }
    var table: [Float]
    switch options.mode {
    case .unique:
      table = sorted.uniqueSorted(limit: (1 << bits) + 1)
      guard table.count <= 1 << bits else { throw Untouched("it has more than \(1 << bits) different values") }
    case .uniform:
      let steps = Double((1 << bits) - 1)
      table = (0..<1 << bits).map {
        data.rounded(Double(least) + (Double(greatest) - Double(least)) * Double($0) / steps)
      }
    case .kmeans:
      var centroids = [Double](repeating: 0, count: 1 << bits)
      let found = mlc_kmeans_sorted(sorted, sorted.count, Int32(1 << bits), &centroids)
      guard found >= 0 else { throw Untouched("there is no memory for its clusters") }
      table = centroids.prefix(Int(found)).map { data.rounded($0) }
    }
    return table
  }

  /// The scales with the least squared error for these indices.
  private func refine(_ scales: inout [Float], _ indices: [UInt8], _ tables: [Float]) {
    guard let rows = BlockLayout(weight.shape, along: outputAxis, size: 1) else { return }
    var palette = [Int32](repeating: 0, count: indices.count)
    for group in 0..<layout.blockCount {
      layout.scatter(group, from: [Int32](repeating: Int32(group), count: layout.blockSize), into: &palette)
    }
    var values = [Float](repeating: 0, count: indices.count)
    for index in indices.indices where weight.mask?[index] ?? 1 != 0 {
      values[index] = tables[Int(palette[index]) << bits + Int(indices[index])]
    }
    var (row, looked) = ([Float](repeating: 0, count: rows.blockSize), [Float](repeating: 0, count: rows.blockSize))
    for channel in scales.indices {
      rows.gather(channel, from: weight.values, into: &row)
      rows.gather(channel, from: values, into: &looked)
      var (both, square) = (0.0, 0.0)
      for k in row.indices {
        both += Double(row[k]) * Double(looked[k])
        square += Double(looked[k]) * Double(looked[k])
      }
      if square > 0, both > 0 { scales[channel] = weight.rounded(both / square) }
    }
  }

  private func fragment(_ indices: [UInt8], _ tables: [Float], _ scales: [Float]) -> ConstantFragment {
    var fragment = ConstantFragment()
    let dtype = DType.palette(bits)
    let lut = ConstantFragment.Argument.tensor(weight.tensor(layout.grid + [1 << bits, 1], tables), "lut")
    let dense: Int
    if let mask = weight.maskTensor {
      let kept = weight.kept(indices)
      let sparse = fragment.append(
        ConstexprLutToSparse(),
        .tensor(mask, "mask"),
        .tensor(Tensor(dtype, [kept.count], codes: kept), "indices"),
        lut
      )
      dense = fragment.append(ConstexprSparseToDense(), .result(sparse, output: 1), .result(sparse, output: 0))
    } else {
      dense = fragment.append(
        ConstexprLutToDense(),
        .tensor(Tensor(dtype, weight.shape, codes: indices), "indices"),
        lut
      )
    }
    if !scales.isEmpty {
      let grid = weight.shape.indices.map { $0 == outputAxis ? weight.shape[$0] : 1 }
      fragment.append(
        ConstexprBlockwiseShiftScale(),
        .result(dense, output: 0),
        .tensor(weight.tensor(grid, scales), "scale"),
        nil
      )
    }
    return fragment
  }
}

extension DType {
  /// Indices of a palette of 2ⁿ entries.
  static func palette(_ bits: Int) -> DType {
    switch bits {
    case 1: .uint1
    case 2: .uint2
    case 3: .uint3
    case 4: .uint4
    case 6: .uint6
    default: .uint8
    }
  }
}

extension WeightData {
  /// Divides every channel by its greatest magnitude and gives these, 1 for channels of zeros.
  mutating func normalizeChannels(_ axis: Int) -> [Float] {
    guard let rows = BlockLayout(shape, along: axis, size: 1) else { return [] }
    var scales = [Float](repeating: 1, count: rows.blockCount)
    var row = [Float](repeating: 0, count: rows.blockSize)
    for channel in scales.indices {
      rows.gather(channel, from: values, into: &row)
      let greatest = row.reduce(0) { max($0, abs($1)) }
      if greatest > 0 { scales[channel] = max(rounded(Double(greatest)), Float.leastNormalMagnitude) }
      for k in row.indices { row[k] /= scales[channel] }
      rows.scatter(channel, from: row, into: &values)
    }
    return scales
  }
}

extension [Float] {
  /// The different values of ascending ones, at most `limit` of them.
  fileprivate func uniqueSorted(limit: Int) -> [Float] {
    var result: [Float] = []
    for value in self where value != result.last {
      result.append(value)
      if result.count == limit { break }
    }
    return result
  }
}
