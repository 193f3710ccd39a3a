import MLCCore
import MLCKernels

extension PackedRecurrence {
  /// What a kernel keeps in registers: sums of some batch elements, its rows, by some vectors of units.
  struct Tile {
    /// Batch elements of one group; how many groups' a worker takes through the steps together.
    let rows: Int, together: Int
    /// Row counts that occur.
    let counts: Set<Int>
    /// Sums that fit the registers beside what they are made of.
    private let most: Int

    /// `gates` are computed at once; a row's state takes `bytes`.
    init(gates: Int, bytes: Int, batch: Dim, _ device: DeviceDescription) {
      most = device.vectorRegisters >= 32 ? 24 : device.lanes >= 8 ? 12 : 8
      let fitting = max(1, min(4, most / gates, batch.constant ?? Int.max))
      rows = fitting
      counts = batch.constant.map { GemmTile(rows: fitting, vectors: 1).split($0) } ?? Set(1...fitting)
      let blocks = batch.constant.map { ($0 + fitting - 1) / fitting } ?? Int.max
      together = max(1, min(blocks, 16 / fitting, (1 << 19) / (bytes * fitting)))
    }

    /// Of `vectors`, those that `rows` rows of `gates` sums compute at once: a divisor of them.
    func units(_ vectors: Int, gates: Int, rows: Int) -> Int {
      (1...vectors).last { vectors.isMultiple(of: $0) && $0 * gates * rows <= most } ?? 1
    }
  }

  func tile(_ device: DeviceDescription) -> Tile {
    Tile(
      gates: gates,
      bytes: 4 * Routine.PackedRecurrence.memory(routine.hidden),
      batch: routine.batch,
      device
    )
  }
}
