import MLCCore
import MLCKernels

// Transpositions: what is read along one loop and stored along another goes through tiles of VL × VL in registers.

/// A store along `lanes` of values that are read, or computed, along `rows`.
struct Transposition {
  var rows: Axis, lanes: Axis
  /// What is turned, loads or the value itself, and the stored value with stage k for the k-th of them.
  var loads: [Scalar]
  var value: Scalar
  var param: Int, index: [Index]
}

extension NestWriter {
  /// The first tile that `turning` makes of the only store, whose loads or value are not turned yet.
  private func transposition(_ turning: (Transposition) -> Transposition?) -> Transposition? {
    guard nest.stages.count == 1, case .store(let p, let index, let own, let value) = nest.stages[0], own.isEmpty else {
      return nil
    }
    let address = speller.address(p, index)
    guard let lanes = nest.axes.last(where: { address.coefficient(of: $0.id) == 1 }) else { return nil }
    for rows in nest.axes where rows != lanes && address.coefficient(of: rows.id) != nil {
      let tile = Transposition(rows: rows, lanes: lanes, loads: [], value: value, param: p, index: index)
      if let turned = turning(tile) { return turned }
    }
    return nil
  }

  /// The nest by tiles of its loads turned; `nil` where they cannot be.
  func turnedLoads() -> NestPart? { transposition(turningLoads).map(tiled) }
  /// The nest by tiles of its value turned; `nil` where it has no vectors.
  func turnedValue() -> NestPart? { transposition(turningValue).map(tiled) }

  private func tiled(_ tile: Transposition) -> NestPart {
    let multiple = sharesSets(tile) ? lanes * Self.stagedRows : lanes
    return part(plan(hot: tile.rows, around: tile.lanes, multiple: multiple), tiles(tile))
  }

  /// The tile with the loads turned that step evenly along the lanes.
  private func turningLoads(_ given: Transposition) -> Transposition? {
    var tile = given
    tile.value = given.value.rewritten { s in
      guard case .load(let q, let from) = s, speller.params[q].dtype.isVectorFloat else { return s }
      let x = speller.address(q, from)
      guard x.coefficient(of: tile.rows.id) == 1, let step = x.coefficient(of: tile.lanes.id), step != 0, step != 1
      else { return s }
      if let k = tile.loads.firstIndex(of: s) { return .stage(k) }
      tile.loads.append(s)
      return .stage(tile.loads.count - 1)
    }
    return (1...4).contains(tile.loads.count) && !hasGuards(given.value) && canStore(tile) ? tile : nil
  }

  /// The tile with the value itself turned, which has vectors along rows that fill half of one, as channels of a block
  /// do whose pixels are put together.
  private func turningValue(_ given: Transposition) -> Transposition? {
    let (rows, value) = (given.rows, given.value)
    guard speller.dtype(value) == .float32, rows.extent.constant.map({ 2 * $0 >= lanes }) ?? true,
      !speller.isUniform(value, rows.id), speller.canVectorise(value, axis: rows.id)
    else { return nil }
    var tile = given
    (tile.loads, tile.value) = ([value], .stage(0))
    return canStore(tile) ? tile : nil
  }

  private func canStore(_ tile: Transposition) -> Bool {
    var vector = speller
    vector.stageTypes = tile.loads.map { _ in .float32 }
    vector.stagesAreVectors = true
    return vector.obstacle(store: tile.param, tile.index, tile.value, axis: tile.lanes.id) == nil
  }

  private func hasGuards(_ value: Scalar) -> Bool {
    var found = false
    value.visitNodes { if case .select = $0 { found = true } }
    return found
  }

  private func tiles(_ tile: Transposition) -> CCode {
    let blocks: CCode = sharesSets(tile) ? stagedTiles(tile) : []
    return """
      int64_t u = lo;
      \(blocks)
      for (; u + VL <= hi; u += VL) {
        \(strip(tile, rows: nil, from: "0"))
      }
      if (u < hi) {
        const int64_t rows = hi - u;
        \(strip(tile, rows: "rows", from: "0"))
      }
      """
  }

  /// The tiles from row `u` and lane `start` on: `rows` rows of them, all where that is `nil`.
  func strip(_ tile: Transposition, rows: String?, from start: String) -> CCode {
    let n = speller.sizes.spell(tile.lanes.extent)
    return """
      int64_t v = \(start);
      for (; v + VL <= \(n); v += VL) {
        \(turned(tile, rows: rows, lanes: nil))
      }
      if (v < \(n)) {
        const int64_t lanes = \(n) - v;
        \(turned(tile, rows: rows, lanes: "lanes"))
      }
      """
  }

  /// The tile from row `u` and lane `v` on.
  private func turned(_ tile: Transposition, rows: String?, lanes: String?) -> CCode {
    var reader = speller
    reader.name(tile.rows.id, "u")
    reader.name(tile.lanes.id, "(v + k)")
    let store = stored(tile, row: "(u + k)", lane: "v", part: lanes) { "tile\($0)[k]" }
    return """
      \(read(tile, reader, rows: rows, lanes: lanes))
      for (int k = 0; k < \(rows ?? "VL"); k++) \(store)
      """
  }

  /// Declares the turned tiles of all loads, whose lane `k` `reader` knows.
  func read(_ tile: Transposition, _ reader: ScalarSpeller, rows: String?, lanes: String?) -> CCode {
    tile.loads.enumerated().map { number, load -> CCode in
      """
      V tile\(number)[VL]\(lanes == nil ? "" : " = {}");
      for (int k = 0; k < \(lanes ?? "VL"); k++)
        tile\(number)[k] = \(reader.spell(load, .vector(axis: tile.rows.id, part: rows)));
      mlc_transpose(tile\(number));
      """
    }.joined()
  }

  /// The store of a vector along the lanes, whose turned loads have the given names.
  func stored(_ tile: Transposition, row: String, lane: String, part: String?, _ name: (Int) -> String) -> String {
    var writer = speller
    writer.name(tile.rows.id, row)
    writer.name(tile.lanes.id, lane)
    writer.stagesAreVectors = true
    writer.stages = tile.loads.indices.map(name)
    writer.stageTypes = tile.loads.map { _ in .float32 }
    return writer.store(tile.param, tile.index, tile.value, .vector(axis: tile.lanes.id, part: part))
  }
}
