import Foundation
import MILBuilder
import Testing

@testable import ProgramInSwift

@Suite struct ProgramInSwiftTests {
  @Test func thePackageIsWritten() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "edges-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let package = folder.appending(path: "Edges.mlpackage")
    #expect(try Edges.program().write(to: package.path()) == [])
    let model = try Data(contentsOf: package.appending(path: "Data/com.apple.CoreML/model.mlmodel"))
    for name in ["picture", "edges", "reduce_sum_square"] { #expect(model.range(of: Data(name.utf8)) != nil) }
  }

  /// A call whose arguments do not fit is reported at its own line.
  @Test func mistakesNameTheirLine() {
    var line = 0
    var reported: BuildError?
    do {
      try ProgramBuilder().function { f in
        let x = try f.input("x", shape: [1, 3, 8, 8])
        line = #line + 1
        _ = try f.conv(x: x, weight: Constant(shape: [4, 2, 1, 1], [Float](repeating: 1, count: 8)))
      }
    } catch { reported = error as? BuildError }
    #expect(reported?.line == line)
  }
}
