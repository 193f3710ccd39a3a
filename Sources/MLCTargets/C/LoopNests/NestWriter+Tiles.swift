import MLCCore
import MLCKernels

// Transpositions: what is read along one loop and stored along another goes through tiles of VL × VL in registers.

/// A store along `lanes` of values some of which are read along `rows`.
struct Transposition {
  var rows: Axis, lanes: Axis
  /// The loads that are turned, and the stored value with stage k for the k-th of them.
  var loads: [Scalar]
  var value: Scalar
  var param: Int, index: [Index]
}

extension NestWriter {
  func transposition() -> Transposition? {
    guard nest.stages.count == 1, case .store(let p, let index, let own, let value) = nest.stages[0], own.isEmpty else {
      return nil
    }
    let address = speller.address(p, index)
    guard let lanes = nest.axes.last(where: { address.coefficient(of: $0.id) == 1 }) else { return nil }
    for rows in nest.axes where rows != lanes && address.coefficient(of: rows.id) != nil {
      var tile = Transposition(rows: rows, lanes: lanes, loads: [], value: value, param: p, index: index)
      tile.value = value.rewritten { s in
        guard case .load(let q, let from) = s, speller.params[q].dtype.isVectorFloat else { return s }
        let x = speller.address(q, from)
        guard x.coefficient(of: rows.id) == 1, let step = x.coefficient(of: lanes.id), step != 0, step != 1 else {
          return s
        }
        if let k = tile.loads.firstIndex(of: s) { return .stage(k) }
        tile.loads.append(s)
        return .stage(tile.loads.count - 1)
      }
      guard (1...4).contains(tile.loads.count), !hasGuards(value) else { continue }
      var vector = speller
      vector.stageTypes = tile.loads.map { _ in .float32 }
      vector.stagesAreVectors = true
      if vector.obstacle(store: p, index, tile.value, axis: lanes.id) == nil { return tile }
    }
    return nil
  }

  private func hasGuards(_ value: Scalar) -> Bool {
    var found = false
    value.visitNodes { if case .select = $0 { found = true } }
    return found
  }

  func tiles(_ tile: Transposition) -> CCode {
    """
    int64_t u = lo;
    for (; u + VL <= hi; u += VL) {
      \(strip(tile, rows: nil))
    }
    if (u < hi) {
      const int64_t rows = hi - u;
      \(strip(tile, rows: "rows"))
    }
    """
  }

  /// The tiles from row `u` on: `rows` rows of them, all where that is `nil`.
  private func strip(_ tile: Transposition, rows: String?) -> CCode {
    let n = speller.sizes.spell(tile.lanes.extent)
    return """
      int64_t v = 0;
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
    let loads = tile.loads.enumerated().map { k, load -> CCode in
      guard case .load(let p, let index) = load else { return [] }
      let address = "p\(p) + \(reader.spell(reader.address(p, index)))"
      return """
        V tile\(k)[VL]\(lanes == nil ? "" : " = {}");
        for (int k = 0; k < \(lanes ?? "VL"); k++)
          tile\(k)[k] = \(StoredElement(speller.params[p].dtype).load(address, part: rows));
        mlc_transpose(tile\(k));
        """
    }
    var writer = speller
    writer.name(tile.rows.id, "(u + k)")
    writer.name(tile.lanes.id, "v")
    writer.stagesAreVectors = true
    writer.stages = tile.loads.indices.map { "tile\($0)[k]" }
    writer.stageTypes = tile.loads.map { _ in .float32 }
    let store = writer.store(tile.param, tile.index, tile.value, .vector(axis: tile.lanes.id, part: lanes))
    return """
      \(loads.joined())
      for (int k = 0; k < \(rows ?? "VL"); k++) \(store)
      """
  }
}
