import MLCCore

/// Output channels divided into panels of `vectors` blocks; the last panel of a group may be narrower.
///
/// A panel's weights lie together, one vector row a step of the reduction: `[panel][step][vectors][block]`, zeros past
/// the last filter. Panels are numbered group by group.
struct ConvolutionPanels {
  let vectors: Int
  /// Whole panels of a group, and blocks in its narrower one, or 0.
  let whole: Int, rest: Int
  let groups: Int, blocksPerGroup: Int

  init(blocksPerGroup: Int, groups: Int, vectors: Int) {
    (self.blocksPerGroup, self.groups, self.vectors) = (blocksPerGroup, groups, vectors)
    (whole, rest) = blocksPerGroup.quotientAndRemainder(dividingBy: vectors)
  }

  var perGroup: Int { whole + (rest == 0 ? 0 : 1) }
  var count: Int { groups * perGroup }

  /// The code for panel `number` of its group: `code` for whole panels, and for the narrower last one.
  func each<Tile>(_ tiles: [Tile], number: String, _ code: (Tile) -> CCode) -> CCode {
    if rest == 0 || whole == 0 { return code(tiles[0]) }
    return """
      if (\(number) < \(whole)) {
        \(code(tiles[0]))
      } else {
        \(code(tiles[1]))
      }
      """
  }

  /// How micro-kernels of panels of `vectors` blocks of `block` filters read plain weights, `w`: those of a panel, or
  /// of `strips`.
  func reader(_ strips: WeightStrips?, vectors: Int, block: Int) -> PanelReader {
    guard let strips else { return PanelReader(vectors: vectors, lanes: block, name: "w") }
    return PanelReader(
      strips,
      vectors: vectors,
      lanes: block,
      alignment: greatestCommonDivisor(self.vectors * block, groups > 1 ? blocksPerGroup * block : 0),
      most: Swift.min(self.vectors, blocksPerGroup),
      mayOverrun: false,
      name: "w"
    )
  }

  /// One step of the reduction: an input channel within the group, and a position in the kernel.
  typealias Step = (channel: Int, tap: Int)

  /// Where the elements of a weight `[filters][channels][taps]` lie in that order.
  func grid(filters: Int, channels: Int, taps: Int, block: Int, steps: [Step]) -> WeightGrid {
    WeightGrid(
      lanes: (0..<groups * blocksPerGroup * block).map { $0 < filters ? $0 * channels * taps : -1 },
      steps: steps.map { $0.channel * taps + $0.tap },
      panels: (0..<count).map { rest != 0 && $0 % perGroup == whole ? rest : vectors }
    )
  }

  /// Lays out `[filters][channelsPerGroup][taps]` values for reductions in the order of `steps`.
  func pack<T: Numeric>(_ values: [T], filters: Int, channels: Int, taps: Int, block: Int, steps: [Step]) -> [T] {
    var packed = [T](repeating: 0, count: groups * blocksPerGroup * block * steps.count)
    let offsets = steps.map { $0.channel * taps + $0.tap }
    packed.withUnsafeMutableBufferPointer { out in
      values.withUnsafeBufferPointer { from in
        for panel in 0..<count {
          let first = panel / perGroup * blocksPerGroup + panel % perGroup * vectors
          let width = (rest != 0 && panel % perGroup == whole ? rest : vectors) * block
          let base = first * block * steps.count
          for lane in 0..<width where first * block + lane < filters {
            let filter = (first * block + lane) * channels * taps
            for (step, offset) in offsets.enumerated() { out[base + step * width + lane] = from[filter + offset] }
          }
        }
      }
    }
    return packed
  }
}
