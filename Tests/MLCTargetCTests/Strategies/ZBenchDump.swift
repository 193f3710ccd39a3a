import Foundation
import MLCCore
import MLCKernels
@testable import MLCTargetC
import Testing

@Suite struct ZBenchDump {
  @Test func dump() throws {
    guard let dir = ProcessInfo.processInfo.environment["BENCH_DIR"] else { return }
    var index: [String] = []
    for device in CompileAndRun.devices {
      let run = try CompileAndRun(device)
      func put(_ label: String, _ c: MatmulCase) throws {
        let e = try run.target.emit(c.kernel, in: c.program)
        let name = "\(label)_\(device.name)"
        try run.source(e).write(toFile: "\(dir)/\(name).c", atomically: true, encoding: .utf8)
        if let p = e.packed[1] { try p.withBytes { try Data($0).write(to: URL(filePath: "\(dir)/\(name).bin")) } }
        index.append("\(name)|\(label)|\(device.name)|\(e.scratchBytes)|\(e.symbol)|\(device.compilerFlags.joined(separator: " "))")
      }
      for (m, n, k, a) in [(128, 768, 768, 0), (128, 3072, 768, 1), (128, 768, 3072, 0), (128, 384, 384, 0), (128, 1536, 384, 1), (128, 384, 1536, 0), (197, 768, 768, 0), (197, 2304, 768, 0), (197, 3072, 768, 1), (197, 768, 3072, 0), (1, 1000, 2048, 0), (1, 2304, 768, 0), (1, 3072, 768, 0), (1, 768, 3072, 0), (1, 50257, 768, 0), (1, 4096, 4096, 0)] {
        try put("mm_\(m)_\(n)_\(k)_\(a)", .plain(Dim(m), Dim(n), Dim(k), bias: true, activation: a == 1 ? Scalar.gelu : { $0 }))
      }
      try put("sym_128_768_768_0", .plain("rows", 768, 768, bias: true, symbols: ["rows": 128]))
      try put("qk", .scores(1, 12, 128, 128, 64, [:]))
      try put("pv", .context(1, 12, 128, 128, 64, [:]))
    }
    try index.joined(separator: "\n").write(toFile: "\(dir)/index.txt", atomically: true, encoding: .utf8)
  }
}
