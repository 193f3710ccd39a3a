import Foundation
import MILBuilder
import MLCCore
import MLCFormatCoreML
import MLCGraph
import Testing

/// The program of Examples/ProgramInSwift, whose own test builds a package of its own.
@Suite struct ExampleTests {
  @Test func edgesAreFound() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "edges-\(UUID().uuidString).mlpackage")
    defer { try? FileManager.default.removeItem(at: path) }
    #expect(try Edges.program().write(to: path.path()) == [])
    let program = try CoreMLPackage.read(path.path())
    #expect(program.metadata.first { $0.key == "description" }?.value == "Edges of a picture")
    // Two halves, 10 and 30: only the columns beside the step have a slope, 4 · 20.
    let pixels = (0..<80).map { $0 % 10 < 5 ? Float(10) : 30 }
    let edges = try Interpreter(program.main).run([Tensor([1, 1, 8, 10], floats: pixels)])[0]
    #expect(edges.innerRow(4) == [0, 0, 0, 80, 80, 0, 0, 0].map { Float($0) })
  }
}

extension Tensor {
  /// The row of ten without its ends, which see what lies around the picture.
  fileprivate func innerRow(_ row: Int) -> [Float] { Array(floats[(row * 10 + 1)..<(row * 10 + 9)]) }
}
