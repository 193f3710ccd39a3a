import MLCKernels

/// The inputs of a convolution apart by their remainder of its strides: within such a phase the taps of all outputs
/// are shifts of one another.
struct TilePhases {
  /// A pixel's channels that are multiplied at once.
  static let pixelBytes = 64

  struct Phase: Hashable {
    /// The first row and column of the window that belong to it.
    let y: Int, x: Int
    /// How many rows and columns more than outputs are read.
    var moreRows = 0, moreColumns = 0
  }

  /// Those that some tap reads.
  private(set) var phases: [Phase] = []
  /// Of each tap the number of its phase and its shift.
  private(set) var taps: [(phase: Int, y: Int, x: Int)] = []
  private let columns: Int

  init(_ convolution: Convolution, columns: Int) {
    self.columns = columns
    let (kernel, strides, dilations) = (convolution.kernel, convolution.strides, convolution.dilations)
    for tap in 0..<kernel.h * kernel.w {
      let (down, y) = (tap / kernel.w * dilations.h).quotientAndRemainder(dividingBy: strides.h)
      let (across, x) = (tap % kernel.w * dilations.w).quotientAndRemainder(dividingBy: strides.w)
      let known = phases.firstIndex { $0.y == y && $0.x == x }
      if known == nil { phases.append(Phase(y: y, x: x)) }
      let phase = known ?? phases.count - 1
      phases[phase].moreRows = max(phases[phase].moreRows, down)
      phases[phase].moreColumns = max(phases[phase].moreColumns, across)
      taps.append((phase, down, across))
    }
  }

  /// Pixels of a copied row, of whatever phase.
  var width: Int { columns + (phases.map(\.moreColumns).max() ?? 0) }
  /// Rows of a phase's plane for `rows` rows of outputs.
  func height(rows: Int) -> Int { rows + (phases.map(\.moreRows).max() ?? 0) }
  /// Pixels between the planes of two phases.
  func plane(rows: Int) -> Int { height(rows: rows) * width }
  /// Bytes of a chunk's planes, and of one row of each.
  func bytes(rows: Int) -> Int { phases.count * plane(rows: rows) * Self.pixelBytes }
  var rowBytes: Int { phases.count * width * Self.pixelBytes }
  /// From the first output of `rows` rows to the last one.
  func positions(rows: Int) -> Int { (rows - 1) * width + columns }
  /// Where a tap begins to read, in pixels of a chunk.
  func offset(_ tap: Int, rows: Int) -> Int {
    let (phase, y, x) = taps[tap]
    return phase * plane(rows: rows) + y * width + x
  }
}
