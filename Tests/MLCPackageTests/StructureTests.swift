import Foundation
import MLCCore
import MLCPackage
import TestSupport
import Testing

/// What packages say of their source models.
@Suite struct StructureTests {
  private let scratch = Scratch()
  private var path: String { scratch.path("p.mlmodelc") }

  private static let program: ModelStructure = {
    let inner = ModelStructure.Operation(
      "relu",
      node: "r",
      inputs: ["x": [.name("b")]],
      outputs: [.init("r", "fp32[?]")]
    )
    let loop = ModelStructure.Operation(
      "while_loop",
      node: "loop",
      inputs: ["loop_vars": [.name("x"), .value("fp32[]")]],
      outputs: [.init("y", "fp32[?]")],
      blocks: [.init([.init("b", "fp32[?]")], [inner], outputs: ["r"])]
    )
    let block = ModelStructure.Block([], [loop], outputs: ["y"])
    return .program([.init("main", [.init("x", "fp32[?]")], block), .init("other", [], .init([], [], outputs: []))])
  }()

  private static let network = ModelStructure.network([
    .init("dense\n", "innerProduct", inputs: ["x"], outputs: ["y"]),
    .init("loop", "loop", inputs: [], outputs: [], inner: ["a", "b"]),
  ])

  private static let kinds = [
    program, network, .pipeline([.init("first", network), .init("", .unsupported), .init("p", program)]),
  ]

  private func write(_ structure: ModelStructure?) throws {
    try? FileManager.default.removeItem(atPath: path)
    var contents = samplePackage()
    contents.structure = structure
    try PackageWriter.write(contents, to: path)
  }

  @Test(arguments: kinds) func structuresAreReadAsTheyWereWritten(_ structure: ModelStructure) throws {
    try write(structure)
    let reader = try PackageReader(path: path)
    #expect(try reader.structure() == structure && reader.unlisted.isEmpty)
  }

  @Test func packagesThatSayNothingAreUnsupported() throws {
    for structure in [nil, ModelStructure.unsupported] {
      try write(structure)
      #expect(try PackageReader(path: path).structure() == .unsupported)
      #expect(files(below: path)["structure.json"] == nil)
    }
  }

  /// One that nests deeper than JSON may is left out.
  @Test func whatNoReaderTakesIsNotWritten() throws {
    var structure = Self.network
    for _ in 0..<40 { structure = .pipeline([.init("p", structure)]) }
    try write(structure)
    #expect(try PackageReader(path: path).structure() == .unsupported)
  }

  private func edit(_ old: String, _ new: String) throws {
    let url = URL(filePath: "\(path)/structure.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    try #require(text.contains(old))
    try Data(text.replacingOccurrences(of: old, with: new).utf8).write(to: url)
    try PackageSealing.reseal(path)
  }

  @Test func damageIsRefused() throws {
    let edits = [
      ("\"functions\"", "\"functionz\""), ("\"fp32[?]\"", "1"), ("\"name\": \"other\"", "\"name\": \"main\""),
      ("\"op\": \"relu\"", "\"op\": 3"), ("{\"type\": \"fp32[]\"}", "[]"), ("[\"b\", \"fp32[?]\"]", "[\"b\"]"),
      ("\"version\": 1", "\"version\": -1"), ("\"outputs\": [\"r\"]", "\"outputs\": [1]"),
    ]
    for (old, new) in edits {
      try write(Self.program)
      try edit(old, new)
      let problem = #expect(throws: Diagnostic.self, "\(new)") { try PackageReader(path: path).structure() }
      #expect(problem?.id == "package.field", "\(new)")
    }
    try write(Self.network)
    try edit("\"version\": 1", "\"version\": 2")
    #expect(try PackageReader(path: path).structure() == .unsupported)
  }

  @Test func anyChangedByteEndsInADiagnosticOrAStructure() throws {
    try write(Self.kinds[2])
    let url = URL(filePath: "\(path)/structure.json")
    let data = try Data(contentsOf: url)
    for index in stride(from: 0, to: data.count, by: 7) {
      for byte in [UInt8(0), 0x22, 0x5b, 0x39, 0xff] {
        var changed = data
        changed[index] = byte
        try changed.write(to: url)
        if changed != data {
          #expect(throws: Diagnostic.self) { try PackageReader(path: path).structure() }
        }
        try PackageSealing.reseal(path)
        do throws(Diagnostic) { _ = try PackageReader(path: path).structure() } catch {
          #expect(["package.field", "package.json"].contains(error.id))
        }
      }
    }
  }

  @Test func kernelsAreSharedByTheirNodes() {
    let wide = TensorType(.float32, [Dim("n"), 10])
    let steps: [KernelPlan.Step] = [
      .init(
        "mm_relu",
        origins: [.init(node: "a", op: "MatMul"), .init(node: "b", op: "Relu"), .init(node: "b", op: "Relu")],
        results: [wide],
        operations: Dim("n") * 1000,
        bytes: Dim(40),
        kind: "matmul"
      ),
      .init("add", origins: [.init(node: "a", op: "Add"), .init(node: "c", op: "Add")], bytes: Dim(200)),
    ]
    let nodes = KernelCosts(steps, sizes: ["n": 2]).nodes
    // 2000 operations take as long as 200 bytes; 20 of them are the other node's.
    #expect(nodes["b"]?.cost == 2 && nodes["b"]?.kernels == ["mm_relu"] && nodes["b"]?.isShared == true)
    #expect(nodes["a"]?.cost == 298 && nodes["a"]?.kernels == ["mm_relu", "add"])
    #expect(nodes["c"]?.cost == 100 && nodes.count == 3)
  }
}
