import Foundation
import MILBuilder
import MLCCore
import MLCFormatCoreML
import MLCGraph
import Testing

/// Pipelines of programs and of models in files; inputs of several shapes, and images.
@Suite struct PipelineBuilderTests {
  private func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pipeline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func scaling(_ input: String, _ output: String, by factor: Double) throws -> ProgramBuilder {
    let program = ProgramBuilder()
    try program.function { f in
      try f.output(output, f.mul(x: f.input(input, shape: [2]), y: factor))
    }
    return program
  }

  @Test func programsAndFilesChain() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (last, whole) = (
      folder.appending(path: "last.mlpackage").path(), folder.appending(path: "all.mlpackage").path()
    )
    try scaling("b", "c", by: 5).write(to: last)
    let pipeline = PipelineBuilder()
    pipeline.metadata = ["author": "me", "own": "1"]
    try pipeline.model("first", scaling("a", "b", by: 3))
    try pipeline.model("last", contentsOf: last)
    #expect(try pipeline.write(to: whole).isEmpty)
    let back = try CoreMLPackage.read(whole)
    #expect(back.main.outputNames == ["c"])
    #expect(Dictionary(uniqueKeysWithValues: back.metadata) == ["author": "me", "own": "1"])
    #expect(try Interpreter(back.main).run([Tensor([2], floats: [1, 2])])[0].floats == [15, 30])
  }

  @Test func whatIsWrongIsSaidWhereItStands() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipeline = PipelineBuilder()
    func problem(_ line: Int, _ body: () throws -> Void) -> String? {
      do { try body() } catch {
        let error = error as? BuildError
        return error?.line == line ? error?.id : "line \(error?.line ?? 0)"
      }
      return nil
    }
    let path = folder.appending(path: "p.mlpackage").path()
    #expect(problem(#line) { try pipeline.write(to: path) } == "coreml.pipeline")
    try pipeline.model("a", scaling("x", "y", by: 1))
    #expect(problem(#line) { try pipeline.model("a", scaling("y", "z", by: 1)) } == "graph.repeated-name")
    #expect(problem(#line) { try pipeline.model("b", ProgramBuilder()) } == "coreml.function")
    #expect(problem(#line) { try pipeline.model("b", contentsOf: path) } == "file.open")
    try pipeline.model("b", scaling("w", "y", by: 1))
    #expect(problem(#line) { try pipeline.write(to: path) } == "coreml.pipeline")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func shapesAndImages() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = ProgramBuilder()
    try program.function { f in
      let x = try f.input("x", shapes: [[1, 4], [1, 8], [1, 16]])
      let image = try f.image("image", sizes: [(8, 8), (8, 16)], colorLayout: .bgr)
      try f.output("sum", f.reduce_sum(x: x, axes: [1], keep_dims: false))
      try f.output("grey", f.reduce_mean(x: image, axes: [1], keep_dims: true), colorLayout: .grayscale)
    }
    let path = folder.appending(path: "p.mlpackage").path()
    #expect(try program.write(to: path).isEmpty)
    let back = try CoreMLPackage.read(path).main
    #expect(back.enumerations.map(\.symbols) == [["x_d1"], ["image_d3"]])
    #expect(back.enumerations.map(\.choices) == [[[4], [8], [16]], [[8], [16]]])
    #expect(back.features.inputs.map(\.form) == [.image(.bgr)] && back.features.outputs.map(\.form) == [.image(.gray)])

    func id(_ body: (FunctionBuilder) throws -> Void) -> String? {
      do { try ProgramBuilder().function("main", body) } catch { return (error as? BuildError)?.id }
      return nil
    }
    #expect(id { _ = try $0.input("x", shapes: []) } == "coreml.type")
    #expect(id { _ = try $0.input("x", shapes: [[1, 2], [1]]) } == "coreml.type")
    #expect(id { _ = try $0.input("x", shapes: [[1, -2]]) } == "coreml.type")
    #expect(id { try $0.output("y", $0.input("x", shape: [1, 2, 4, 4]), colorLayout: .rgb) } == "coreml.type")
  }
}
