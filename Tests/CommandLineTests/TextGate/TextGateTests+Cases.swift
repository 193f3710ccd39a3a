import CoreMLProto
import Foundation
import ONNXProto
import SwiftProtobuf
import Testing

extension TextGateTests {
  /// A node's name behind a carriage return, of 140 bytes of ONNX: what it says stays unsaid.
  @Test func carriageReturnsEndNoComment() throws {
    let work = try Workspace()
    let canary = work.path("canary")
    for end in ["\r", "\r\n", "\n", "??/\r"] {
      let command = "a\(end)extern int system(const char*);system(\"touch \(canary)\");//"
      let path = work.path("m.onnx")
      try Self.relu(node: command, size: nil).serializedData().write(to: URL(filePath: path))
      try Data(#"{"x": [1, 2]}"#.utf8).write(to: URL(filePath: work.path("in.json")))
      let run = try MLCProcess("predict", path, "--inputs", work.path("in.json"))
      #expect(run.status == 0 && run.output.contains("y"), "\(run.errors)")
      #expect(!work.contents.contains("canary"), "\(end.debugDescription)")
    }
  }

  /// The same as a Keras layer's name.
  @Test func layersRunNoCommand() throws {
    let work = try Workspace()
    let canary = work.path("canary")
    let config = """
      {"class_name":"Sequential","config":{"name":"s","layers":[{"module":"keras.layers","class_name":"InputLayer",\
      "config":{"name":"x","batch_shape":[1,2],"dtype":"float32"}},\
      {"module":"keras.layers","class_name":"ReLU","config":\
      {"name":"a\\rextern int system(const char*);system(\\"touch \(canary)\\");//"}}]}}
      """
    let file = try KerasNames.weightless(config, to: work.path("m.keras"))
    let run = try MLCProcess("bench", file, "--iterations", "1", "--warmup", "0", "--ops")
    #expect(run.status == 0 && run.output.contains(#"a\rextern"#), "\(run.output)\(run.errors)")
    #expect(!work.contents.contains("canary"))
  }

  /// The name of a size, which stands in documentation of the class.
  @Test func sizesAddNoProperty() throws {
    let work = try Workspace()
    for name in ["n\nlet q = f()\n//", "n\rlet q = f()\r//", "n\u{2028}let q", "`", "n]\\"] {
      let path = work.path("m.onnx")
      try Self.relu(node: "r", size: name).serializedData().write(to: URL(filePath: path))
      let run = try MLCProcess("generate", path, "-o", work.url.path(), "--class-name", "M")
      #expect(run.status == 0, "\(run.errors)")
      let code = try String(contentsOf: URL(filePath: work.path("M.swift")), encoding: .utf8)
      let lines = code.split { $0.isNewline }.map { $0.drop { $0 == " " } }
      #expect(!lines.contains { $0.hasPrefix("let q") })
    }
  }

  /// Names of nodes may be of any length, and are cut where people read; names that callers spell are refused.
  @Test func longNamesAreCut() throws {
    let work = try Workspace()
    let (long, path, package) = (
      String(repeating: "n\u{1b}", count: 1 << 19), work.path("m.onnx"), work.path("c.mlmodelc")
    )
    try Self.relu(node: long, size: "n").serializedData().write(to: URL(filePath: path))
    for arguments in [
      ["inspect", path], ["inspect", path, "--svg"], ["compile", path, "-o", package], ["inspect", package],
      ["verify", path, package, "--layers", "--report", work.path("r.html")],
      ["bench", package, "--ops", "--iterations", "1", "--warmup", "0", "--report", work.path("b.html")],
      ["plan", package],
    ] {
      let run = try MLCProcess(arguments: arguments)
      #expect(run.status == 0, "\(arguments[0]): \(run.errors.prefix(1000))")
      #expect(run.output.utf8.count + run.errors.utf8.count < 20_000, "\(arguments)")
    }
    for page in ["r.html", "b.html"] {
      #expect(try Data(contentsOf: URL(filePath: work.path(page))).count < 20_000, "\(page)")
    }
    try Self.relu(node: "r", size: long).serializedData().write(to: URL(filePath: path))
    let refused = try MLCProcess("compile", path, "-o", package)
    #expect(refused.status == 3 && refused.errors.contains("[graph.long-name]") && refused.errors.utf8.count < 1000)
    try Self.model(of: "Add", domain: "", node: long).serializedData().write(to: URL(filePath: path))
    let broken = try MLCProcess("inspect", path)
    #expect(broken.status == 3 && broken.errors.contains("characters left out") && broken.errors.utf8.count < 10_000)
  }

  /// Every problem says one line, and one for each note, whatever the names in it.
  @Test func refusalsStayOnTheirLines() throws {
    let work = try Workspace()
    var names = NameSource(hostile: true)
    for (file, data) in try Self.refused(&names) {
      let path = work.path(file)
      try data.write(to: URL(filePath: path))
      for arguments in [["inspect", path], ["inspect", path, "--json"], ["build", path], ["build", path, "--json"]] {
        let run = try MLCProcess(arguments: arguments)
        #expect([3, 4].contains(run.status), "\(file): \(run.status)")
        #expect(Readers.commands(toTerminal: run.output + run.errors).isEmpty, "\(run.errors)")
        let lines = run.errors.split(separator: "\n")
        #expect(lines.first?.contains(": error: ") == true && lines.first?.last == "]", "\(file): \(run.errors)")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  note: ") || $0.contains(":1: note: ") }, "\(run.errors)")
        if arguments.contains("--json") { #expect(try run.json()["id"] is String) }
      }
    }
  }

  private static func refused(_ names: inout NameSource) throws -> [(String, Data)] {
    let unknown = model(of: names.all(), domain: "", node: names.all())
    let foreign = model(of: names.all(), domain: names.all(), node: names.all())
    let incomplete = model(of: "Add", domain: "", node: names.all())
    var undefined = relu(node: names.all(), size: nil)
    undefined.graph.node[0].input = [names.all()]
    var twice = relu(node: names.all(), size: names.all())
    twice.graph.output[0].name = names.all()
    var program = CoreMLNames.program(&names).model
    program.mlProgram.functions["main"]!.blockSpecializations["iOS15"]!.operations[0].type = names.all()
    var network = CoreMLNames.network(&names).model
    network.neuralNetworkClassifier.layers[0].custom.className = names.all()
    let onnx = try [unknown, foreign, incomplete, undefined, twice].enumerated().map { number, model in
      ("\(number).onnx", try model.serializedData() as Data)
    }
    return onnx + [("p.mlmodel", try program.serializedData()), ("n.mlmodel", try network.serializedData())]
  }

  private static func model(of type: String, domain: String, node: String) -> Onnx_ModelProto {
    var model = relu(node: node, size: nil)
    (model.graph.node[0].opType, model.graph.node[0].domain) = (type, domain)
    if !domain.isEmpty { model.opsetImport.append(.with { ($0.domain, $0.version) = (domain, 1) }) }
    return model
  }

  /// `y = relu(x)` of two numbers, or of as many as `size` says.
  private static func relu(node: String, size: String?) -> Onnx_ModelProto {
    .with {
      $0.irVersion = 8
      $0.opsetImport = [.with { $0.version = 17 }]
      $0.graph.input = [ONNXNames.input("x", [.with { if let size { $0.dimParam = size } else { $0.dimValue = 2 } }])]
      $0.graph.output = [.with { $0.name = "y" }]
      $0.graph.node = [.with { ($0.name, $0.opType, $0.input, $0.output) = (node, "Relu", ["x"], ["y"]) }]
    }
  }
}
