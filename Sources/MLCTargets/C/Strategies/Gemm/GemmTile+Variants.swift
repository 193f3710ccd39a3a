import MLCCore
import MLCKernels

extension GemmTile {
  /// `8x3`: rows by vectors.
  var variant: String { "\(rows)x\(vectors)" }
}

extension GemmStrategy {
  /// The tiles that it can be told to take.
  package static func variants(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) -> [String] {
    guard let problem = GemmProblem(kernel, in: program) else { return [] }
    let rows = problem.matmul.m.extent.constant ?? 0
    let wide = (1...4).contains(rows) ? GemmTile.wideCandidates(device, rows: rows, registers: problem.registers) : []
    let names = (GemmTile.candidates(device, registers: problem.registers) + wide).map { $0.variant }
    // Who does not know a tile takes another one.
    return names.filter { plan(problem, on: device.taking($0))?.tile.variant == $0 }
  }
}
