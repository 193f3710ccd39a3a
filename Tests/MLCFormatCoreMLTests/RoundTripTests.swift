import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import Testing

/// What is written reads back as the same program, and, read as MIL alone, computes the same.
@Suite struct RoundTripTests {
  @Test func convolution() throws {
    let report = try roundTrip(try convolutionalNet(), inputs: [numbers(.float32, [1, 3, 8, 8])])
    #expect(report.refusals.isEmpty)
    #expect(report.weightBytes > 4 * 108)
    #expect(try roundTrip(try convolutionalNet(.float16), target: .iOS15).refusals.isEmpty)
  }

  @Test func controlFlowAndSymbolicSizes() throws {
    let inputs = [numbers(.float32, [3, 2]), Tensor(.bool, [], [1])]
    let report = try roundTrip(try loopingProgram(), inputs: inputs)
    #expect(report.notes.contains { $0.contains("'steps' is int64") })
    #expect(report.refusals.contains { $0.op == "input" && $0.nodes == ["go"] })
  }

  /// Integers beyond 32 bits, doubles, infinities, text: kept, even where Core ML has no place for them.
  @Test func everyElementType() throws {
    let types = DType.allCases.filter { ![.string, .bool, .int2].contains($0) && $0.smallFloat == nil }
    let constants = types.map { Tensor($0, [3, 5], (0..<15).map { $0 % 2 }) }
    let extremes = [
      Tensor(.int64, [2], [Int.max, Int.min]), Tensor(.float64, [3], [0.1, -.infinity, Double.leastNonzeroMagnitude]),
      Tensor([2], strings: ["a", "β\"\n"]), Tensor(.bool, [12], (0..<12).map { $0 % 3 == 0 ? 1 : 0 }),
      Tensor(.int64, [0], [Int]()),
    ]
    let sample = program { builder in
      (constants + extremes).enumerated().map { ("c\($0)", builder.constant($1, name: "c.\($0)")) }
    }
    let report = try roundTrip(sample)
    #expect(report.refusals.contains { $0.op == "constant" })
  }

  @Test func everyKindOfAttribute() throws {
    let sample = try program { builder in
      let x = builder.input("x", TensorType(.float32, [2, 3, 4, 5]))
      var resize = Resize()
      (resize.mode, resize.axes, resize.cubicCoefficient) = ("cubic", [2, 3], -0.5)
      let scales = builder.constant(Tensor(.float32, [2], [2.0, 1.5]), name: "scales")
      let y = try builder.append(resize, [[x], [], [scales]], names: ["resized"])[0]
      let slice = SliceByIndex(beginMask: [true, false, false, false], endMask: [false, true, true, true])
      let begin = builder.constant(.shape([0, 1, 2, 3]), name: "begin")
      let end = builder.constant(.shape([Int.max, 3, 4, 5]), name: "end")
      let z = try builder(slice, y, begin, end, name: "sliced")
      let clipped = try builder(Clip(alpha: -.infinity, beta: 0.1), z, name: "clipped")
      return [("y", try builder(Cast(.float64), clipped, name: "wide"))]
    }
    #expect(try roundTrip(sample).refusals.contains { $0.op == "resize" })
  }

  @Test func metadataAndFunctions() throws {
    var sample = try convolutionalNet()
    var other = try loopingProgram().main
    other.name = "other"
    sample.functions.append(other)
    sample.metadata = [("zeta", "1"), ("author", "Ada"), ("alpha", "β")]
    try roundTrip(sample, target: .iOS18)
    #expect(try roundTrip(sample, target: .iOS15).refusals.contains { $0.op == "function" })
  }

  @Test func equalProgramsAreEqualFiles() throws {
    let scratch = try Scratch()
    var digests: Set<Data> = []
    for name in ["a", "b", "a"] {
      let path = scratch.file("\(name).mlpackage")
      _ = try CoreMLPackage.write(try convolutionalNet(), to: path)
      var bytes = Data()
      for file in ["Manifest.json", "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin"] {
        bytes += try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)"))
      }
      digests.insert(bytes)
    }
    #expect(digests.count == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["a.mlpackage", "b.mlpackage"]
    )
  }

  @Test func replacesOnlyPackages() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch.file("precious"), withIntermediateDirectories: true)
    expectDiagnostic("file.write") { _ = try CoreMLPackage.write(try convolutionalNet(), to: scratch.file("precious")) }
    expectDiagnostic("file.write") { _ = try CoreMLPackage.write(try convolutionalNet(), to: scratch.file("no/where")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["precious"])
  }

  /// A note about another program is not believed.
  @Test func changedProgramIsImported() throws {
    let scratch = try Scratch()
    let path = scratch.file("m.mlpackage")
    _ = try CoreMLPackage.write(try convolutionalNet(), to: path)
    let file = URL(fileURLWithPath: "\(path)/Data/com.apple.CoreML/model.mlmodel")
    var data = try Data(contentsOf: file)
    // As protocol buffers spell a text, behind its length; the note is packed.
    var count = 0
    while let name = data.range(of: Data("\u{4}relu".utf8)) {
      data.replaceSubrange(name, with: Data("\u{4}tanh".utf8))
      count += 1
    }
    #expect(count > 0)
    try data.write(to: file)
    let changed = try CoreMLPackage.read(path).main
    #expect(changed.file == path)
    let names = changed.body.operations.map { $0.name }
    #expect(names.contains("tanh") && !names.contains("relu"), "\(names)")
  }
}
