import MLCKernels

/// The block of the output that one micro-kernel keeps in registers: `rows` × `vectors` vectors.
struct GemmTile: Hashable, Sendable {
  var rows, vectors: Int

  /// Those for `problem`.
  static func candidates(_ device: DeviceDescription, _ problem: GemmProblem) -> [GemmTile] {
    problem.areHalves ? ofHalves(device) : candidates(device, registers: problem.registers)
  }

  /// Tiles whose accumulators and rows of the panel for all steps that are taken at once fit the registers; 20 rows at
  /// most, since instructions of more are ordered so that they do not fit.
  private static func ofHalves(_ device: DeviceDescription) -> [GemmTile] {
    [1, 2, 3].map { vectors in
      let sums = device.vectorRegisters - HalfSums.spare - HalfSums.stride * vectors
      return GemmTile(rows: max(1, min(sums / vectors, 20)), vectors: vectors)
    }
  }

  /// Tiles whose accumulators, one row of the panel and a broadcast element fit the registers, of which a vector of
  /// sums takes one, or two where they are of 64 bits.
  static func candidates(_ device: DeviceDescription, registers: Int = 1) -> [GemmTile] {
    let narrow =
      device.vectorRegisters >= 32
      ? [(8, 3), (6, 4), (14, 2), (28, 1)]
      : device.lanes >= 8 ? [(6, 2), (4, 3), (12, 1)] : [(2, 4), (4, 2)]
    let wide = device.vectorRegisters >= 32 ? [(6, 2), (12, 1)] : device.lanes >= 8 ? [(6, 1)] : [(2, 2), (4, 1)]
    let shapes = registers == 1 ? narrow : wide
    return shapes.map { GemmTile(rows: $0.0, vectors: $0.1) }
  }

  /// Panels as wide as registers allow: one to four rows that read every weight once.
  static func wideCandidates(_ device: DeviceDescription, rows: Int, registers: Int = 1) -> [GemmTile] {
    let accumulators = (device.vectorRegisters >= 32 ? 24 : 12) / registers
    return [8, 6, 4, 3, 2, 1].filter { $0 * rows <= accumulators }.map { GemmTile(rows: rows, vectors: $0) }
  }

  /// Whether rows of its panels are whole rows of strips, or equal parts of one: always where there are no strips.
  func followsStrips(_ device: DeviceDescription) -> Bool {
    guard let strip = device.packedLanes else { return true }
    return width(device).isMultiple(of: strip) || strip.isMultiple(of: width(device))
  }

  /// Vector operations for one step of k over the whole output, padding counted: what tiles are compared by. Each
  /// vector of the panel takes `widening` more as it is loaded.
  func cost(m: Int, n: Int, _ device: DeviceDescription, widening: Int = 0) -> Double {
    let panels = (n + width(device) - 1) / width(device)
    let tiles = (m + rows - 1) / rows
    let high = m % max(tiles, 1)
    let low = tiles - high
    let base = m / max(tiles, 1)
    let widened = Double(tiles * vectors * widening)
    return Double(panels) * (Double(high) * step(base + 1) + Double(low) * step(base) + widened)
  }

  /// Products hide the loads beside them unless loads are nearly as many; fewer than eight products wait for
  /// themselves.
  private func step(_ rows: Int) -> Double {
    let products = Double(rows * vectors)
    let loads = Double(rows + vectors)
    return max(products, 4) + 0.15 * loads
  }

  /// Columns of one panel.
  func width(_ device: DeviceDescription) -> Int { vectors * device.lanes }

  /// The cheapest of `candidates` for an output of `m` × `n`; an unknown extent counts as `unknown`.
  static func best(
    _ candidates: [GemmTile],
    m: Int?,
    n: Int?,
    unknown: Int = 128,
    _ device: DeviceDescription,
    widening: Int = 0
  ) -> GemmTile {
    let device = device.taking(GemmVariant(device.variant)?.tile)
    let costs = device.wanted(candidates, \.variant).map {
      ($0, $0.cost(m: m ?? unknown, n: n ?? unknown, device, widening: widening))
    }
    return costs.min { $0.1 < $1.1 }!.0
  }

  /// Row counts of the tiles that `m` rows fall into: as even as possible.
  func split(_ m: Int) -> Set<Int> {
    let tiles = (m + rows - 1) / rows
    if tiles == 0 { return [] }
    return m % tiles == 0 ? [m / tiles] : [m / tiles, m / tiles + 1]
  }
}
