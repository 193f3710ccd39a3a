import Foundation
import ONNXProto
import SwiftProtobuf
import Testing

/// A model that reads texts and gives texts, through the commands.
@Suite struct TextCommandTests {
  private let work: Workspace
  private let model: String

  /// `pieces` and `counts` of `lines`, `number` of `label`, and `lines` behind `label`.
  init() throws {
    work = try Workspace()
    model = work.path("model.onnx")
    func text(_ name: String, _ dims: Onnx_TensorShapeProto.Dimension...) -> Onnx_ValueInfoProto {
      .with {
        $0.name = name
        $0.type.tensorType.elemType = 8
        $0.type.tensorType.shape.dim = dims
      }
    }
    func node(_ type: String, _ inputs: [String], _ outputs: [String]) -> Onnx_NodeProto {
      .with { ($0.opType, $0.input, $0.output, $0.name) = (type, inputs, outputs, "the \(type)") }
    }
    var split = node("StringSplit", ["lines"], ["pieces", "counts"])
    split.attribute = [.with { ($0.name, $0.type, $0.s) = ("delimiter", .string, Data(",".utf8)) }]
    var encoder = node("LabelEncoder", ["label"], ["number"])
    encoder.domain = "ai.onnx.ml"
    encoder.attribute = [
      .with { ($0.name, $0.type, $0.strings) = ("keys_strings", .strings, [Data("a".utf8), Data("é".utf8)]) },
      .with { ($0.name, $0.type, $0.ints) = ("values_int64s", .ints, [7, 8]) },
    ]
    let proto = Onnx_ModelProto.with {
      $0.irVersion = 10
      $0.opsetImport = [.with { $0.version = 20 }, .with { ($0.domain, $0.version) = ("ai.onnx.ml", 2) }]
      $0.graph.node = [split, encoder, node("StringConcat", ["label", "lines"], ["joined"])]
      $0.graph.input = [text("lines", .with { $0.dimParam = "n" }), text("label", .with { $0.dimValue = 1 })]
      $0.graph.output = ["pieces", "counts", "number", "joined"].map { name in .with { $0.name = name } }
    }
    try proto.serializedData().write(to: URL(filePath: model))
    try Data(#"{"lines": ["x,y,z", "", "\u001b[31m,é"], "label": ["é"]}"#.utf8).write(to: URL(filePath: inputs))
  }

  private var inputs: String { work.path("in.json") }

  @Test(arguments: [true, false]) func predicts(_ isReference: Bool) throws {
    let options = ["predict", model, "--inputs", inputs, "--json"] + (isReference ? ["--reference"] : [])
    let run = try MLCProcess(arguments: options)
    #expect(run.status == 0, "\(run.errors)")
    let outputs = try #require(try run.json()["outputs"] as? [[String: Any]])
    let data = Dictionary(uniqueKeysWithValues: outputs.map { ($0["name"] as? String ?? "", $0["data"]) })
    #expect(data["pieces"] as? [String] == ["x", "y", "z", "", "", "", "\u{1b}[31m", "é", ""])
    #expect(data["counts"] as? [Double] == [3, 1, 2])
    #expect(run.output.contains("[3, 1, 2]"), "integers are spelled as such")
    #expect(data["number"] as? [Double] == [8])
    #expect(data["joined"] as? [String] == ["éx,y,z", "é", "é\u{1b}[31m,é"])
  }

  @Test func showsAndWritesThem() throws {
    for file in ["out.json", "out.npz"] {
      let run = try MLCProcess("predict", model, "--inputs", inputs, "-o", work.path(file))
      #expect(run.status == 0 && run.output.contains("'éx,y,z'") && !run.output.contains("\u{1b}"), "\(run.output)")
      let again = try MLCProcess("predict", model, "--inputs", inputs, "-o", work.path("again.json"))
      #expect(again.status == 0)
    }
    let written = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: work.path("out.json"))))
    #expect((written as? [String: Any])?["joined"] as? [String] == ["éx,y,z", "é", "é\u{1b}[31m,é"])
  }

  @Test func verifiesAndNamesTheHostsWork() throws {
    let verify = try MLCProcess("verify", model, "--json")
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    let package = work.path("model.mlmodelc")
    #expect(try MLCProcess("compile", model, "-o", package).status == 0)
    #expect(try MLCProcess("verify", model, package).status == 0)
    let bench = try MLCProcess("bench", package, "--ops")
    for kernel in ["text_concat", "text_count_pieces", "text_split"] {
      #expect(bench.output.contains(kernel), "\(bench.output)")
    }
  }

  @Test func numbersForTextsAreRefused() throws {
    try Data(#"{"lines": [1, 2], "label": ["a"]}"#.utf8).write(to: URL(filePath: inputs))
    let run = try MLCProcess("predict", model, "--inputs", inputs)
    #expect(run.status == 3 && run.errors.contains("input.dtype") && run.errors.contains("'lines'"), "\(run.errors)")
  }
}
