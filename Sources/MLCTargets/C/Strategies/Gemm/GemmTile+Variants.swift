import MLCCore
import MLCKernels

extension GemmTile {
  /// `8x3`: rows by vectors.
  var variant: String { "\(rows)x\(vectors)" }
}

/// A way to divide a product as the device's variant names it: `8x3`, or `8x3k512` where parts of k are named too.
struct GemmVariant: Equatable {
  var tile: String
  /// Steps of k of a part; `nil` for what is taken without a name.
  var depth: Int?

  init(_ tile: String, depth: Int? = nil) { (self.tile, self.depth) = (tile, depth) }

  init?(_ name: String?) {
    guard let name else { return nil }
    let parts = name.split(separator: "k", maxSplits: 1)
    guard let tile = parts.first else { return nil }
    self.init(String(tile), depth: parts.count == 2 ? Int(parts[1]) : nil)
  }

  var name: String { depth.map { "\(tile)k\($0)" } ?? tile }
}

extension GemmStrategy {
  /// The tiles that it can be told to take, and for each half and twice the part of k that it takes by itself.
  package static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String] {
    guard let problem = GemmProblem(kernel, in: program) else { return [] }
    let rows = problem.matmul.m.extent.constant ?? 0
    let wide = (1...4).contains(rows) ? GemmTile.wideCandidates(device, rows: rows, registers: problem.registers) : []
    let names = (GemmTile.candidates(device, registers: problem.registers) + wide).map { $0.variant }
    // Who does not know a tile takes another one.
    return names.flatMap { name -> [String] in
      guard let plan = plan(problem, on: device.taking(name)), plan.tile.variant == name else { return [] }
      let k = problem.matmul.k.extent.constant ?? 0
      let parts = [plan.depth / 2, plan.depth * 2].filter { $0 >= 256 && $0 < 2 * k }
      return [name]
        + parts.compactMap { depth in
          let variant = GemmVariant(name, depth: depth).name
          return self.plan(problem, on: device.taking(variant)).flatMap { $0.depth == plan.depth ? nil : variant }
        }
    }
  }
}
