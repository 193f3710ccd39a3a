import Foundation
import MLCCore
import MLCPackage
import Testing

@Suite struct PackageWriterTests {
  private let scratch = Scratch()

  @Test func keepsContents() throws {
    let path = scratch.path("a.mlmodelc")
    let contents = samplePackage()
    try PackageWriter.write(contents, to: path)
    let package = try PackageReader(path: path)
    #expect(package.functions == contents.functions)
    #expect(package.manifest.functions == ["main", "with space/../x"])
    #expect(package.manifest.metadata == ["author": "someone"])
    #expect(package.manifest.targets.map { $0.device } == contents.targets.map { $0.device })
    #expect(try package.program() == "main(x) {}")
    try package.verifyDigests()
    let code = package.manifest.targets[1].code[0].segments[0]
    #expect(try package.plan(code) == contents.targets[1].code[0].segments[0].plan)
    let mapped = try package.open(code.weights).mapped
    let weights = withExtendedLifetime(mapped) { [UInt8](mapped.bytes) }
    #expect(weights.count == 100)
    sampleWeights.withBytes { bytes in
      #expect(weights[0..<20].elementsEqual(bytes) && weights[64..<84].elementsEqual(bytes))
      #expect(weights[20..<64].allSatisfy { $0 == 0 } && weights[84..<100].allSatisfy { $0 == 0 })
    }
    #expect(files(below: path + "/blobs").count == 1)
  }

  @Test func keepsSegments() throws {
    var contents = samplePackage()
    let gpu = Manifest.Device(name: "gpu", family: "cuda", isa: "sm_90", requires: [])
    let whole = contents.targets[0].code[0].segments[0]
    var (first, second) = (whole, whole)
    first.wiring = SegmentWiring(device: 1, inputs: [1, 0], outputs: [3], sizes: ["n"])
    second.wiring = SegmentWiring(device: 0, inputs: [3], outputs: [2], sizes: [])
    contents.targets[0].accelerators = [gpu]
    contents.targets[0].code[0].values = [TensorType(.int8, ["n", 2])]
    contents.targets[0].code[0].segments = [first, second]
    try PackageWriter.write(contents, to: scratch.path("a"))
    let target = try PackageReader(path: scratch.path("a")).manifest.targets[0]
    #expect(target.name == "x86-64-v2+gpu" && target.devices[1] == gpu)
    #expect(target.code[0].values == [TensorType(.int8, ["n", 2])])
    #expect(target.code[0].segments.map { $0.wiring } == [first.wiring, second.wiring])
    #expect(Set(target.code[0].segments.map { $0.kernels.path }).count == 2)
  }

  @Test func givesEqualBytesForEqualContents() throws {
    try PackageWriter.write(samplePackage(), to: scratch.path("a"))
    try PackageWriter.write(samplePackage(), to: scratch.path("b"))
    #expect(files(below: scratch.path("a")) == files(below: scratch.path("b")))
  }

  @Test func copiesFiles() throws {
    let source = scratch.path("kernels")
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: source))
    var contents = samplePackage()
    contents.targets[0].code[0].segments[0].kernels = .file(source)
    try PackageWriter.write(contents, to: scratch.path("a"))
    let package = try PackageReader(path: scratch.path("a"))
    let mapped = try package.open(package.manifest.targets[0].code[0].segments[0].kernels).mapped
    #expect(withExtendedLifetime(mapped) { [UInt8](mapped.bytes) } == [1, 2, 3])
  }

  @Test func replacesPackagesOnly() throws {
    let path = scratch.path("a.mlmodelc")
    try PackageWriter.write(samplePackage(tool: "one"), to: path)
    try PackageWriter.write(samplePackage(tool: "two"), to: path + "/")
    #expect(try PackageReader(path: path).manifest.tool == "two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["a.mlmodelc"])

    let foreign = scratch.path("foreign")
    try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: foreign + "/file"))
    let file = scratch.path("file")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
    for path in [foreign, file] {
      #expect { try PackageWriter.write(samplePackage(), to: path) } throws: {
        ($0 as? Diagnostic)?.id == "package.in-the-way"
      }
    }
    #expect(files(below: foreign) == ["file": Data("precious".utf8)])
  }

  /// Whatever a model has learnt, its package is the same one.
  @Test func packagesThatLearntSomethingElseAreTheSame() throws {
    var contents = samplePackage()
    let learning = Learning(
      .neighbors(.init(label: "l", isText: true, columns: 1)),
      settings: [.init(.numberOfNeighbors, 1, .values([1]))]
    )
    contents.learning = learning
    contents.parameters = [("samples", sampleWeights)]
    let (one, other, third) = (scratch.path("one"), scratch.path("other"), scratch.path("third"))
    try PackageWriter.write(contents, to: one)
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    let package = try PackageReader(path: one)
    try PackageWriter.write(package, learning: [("samples", Tensor([2], floats: [8, 9]))], to: other)
    let learnt = try PackageReader(path: other)
    #expect(try learnt.parameters()[0].tensor.floats == [8, 9])
    #expect(learnt.manifest != package.manifest && learnt.manifest.isSame(butForParametersAs: package.manifest))
    contents.tool = "mlc 1"
    try PackageWriter.write(contents, to: third)
    #expect(try !PackageReader(path: third).manifest.isSame(butForParametersAs: package.manifest))
  }

  @Test func leavesNothingBehindWhenItFails() throws {
    var contents = samplePackage()
    contents.targets[1].code[1].segments[0].kernels = .file(scratch.path("absent"))
    #expect(throws: Diagnostic.self) { try PackageWriter.write(contents, to: scratch.path("a")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
    #expect { try PackageWriter.write(samplePackage(), to: scratch.path("no/such/folder")) } throws: {
      ($0 as? Diagnostic)?.id == "file.write"
    }
  }
}
