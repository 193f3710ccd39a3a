import CoreMLProto
import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps
import SwiftProtobuf
import Testing

/// Models that no ML Program says, written as they were read.
@Suite struct KeptModelTests {
  /// `y = 2 a + 3 b + 1` of a feature `v` of two numbers.
  private static func linear() -> CoreML_Specification_Model {
    .with {
      $0.specificationVersion = 1
      $0.glmRegressor.weights = [.with { $0.value = [2, 3] }]
      $0.glmRegressor.offset = [1]
      $0.description_p.input = [feature("v")]
      $0.description_p.output = [
        .with {
          $0.name = "y"
          $0.type.doubleType = .init()
        }
      ]
      $0.description_p.predictedFeatureName = "y"
      $0.description_p.metadata.author = "somebody"
      $0.description_p.metadata.userDefined = ["b": "2", "a": "1"]
    }
  }

  /// What comes in doubled, before `linear`.
  private static func pipeline() -> CoreML_Specification_Model {
    let scaler = CoreML_Specification_Model.with {
      $0.specificationVersion = 1
      $0.scaler.scaleValue = [2, 2]
      $0.description_p.input = [feature("raw")]
      $0.description_p.output = [feature("v")]
    }
    return .with {
      $0.specificationVersion = 4
      $0.pipeline.models = [scaler, linear()]
      $0.description_p.input = scaler.description_p.input
      $0.description_p.output = linear().description_p.output
    }
  }

  private static func feature(_ name: String) -> CoreML_Specification_FeatureDescription {
    .with {
      $0.name = name
      $0.type.multiArrayType.shape = [2]
      $0.type.multiArrayType.dataType = .double
    }
  }

  /// Boxes of two classes with a label each.
  private static func suppression(_ labels: [String]) -> CoreML_Specification_Model {
    func matrix(_ name: String, _ columns: Int64) -> CoreML_Specification_FeatureDescription {
      .with {
        $0.name = name
        $0.type.multiArrayType.shape = [3, columns]
        $0.type.multiArrayType.dataType = .double
      }
    }
    return .with {
      $0.specificationVersion = 3
      $0.nonMaximumSuppression = .with {
        ($0.confidenceInputFeatureName, $0.coordinatesInputFeatureName) = ("scores", "boxes")
        ($0.confidenceOutputFeatureName, $0.coordinatesOutputFeatureName) = ("confidence", "coordinates")
        $0.stringClassLabels.vector = labels
      }
      $0.description_p.input = [matrix("scores", 2), matrix("boxes", 4)]
      $0.description_p.output = [matrix("confidence", 2), matrix("coordinates", 4)]
    }
  }

  /// They are metadata, unless the model's own says them or they would read otherwise.
  @Test func labelsOfBoxesAreKept() throws {
    let scratch = try Scratch()
    func classes(_ model: CoreML_Specification_Model) throws -> [String] {
      try CoreMLPackage.read(try written(model, scratch)).metadata.filter { $0.key == "classes" }.map { $0.value }
    }
    #expect(try classes(Self.suppression(["cat", "dog"])) == ["cat,dog"])
    #expect(try classes(Self.suppression([])) == [])
    #expect(try classes(Self.suppression(["cat, small", "dog"])) == [])
    var other = Self.suppression(["cat", "dog"])
    other.description_p.metadata.userDefined["classes"] = "a,b"
    #expect(try classes(other) == ["a,b"])
  }

  private func written(_ model: CoreML_Specification_Model, _ scratch: Scratch) throws -> String {
    let path = scratch.file("model.mlmodel")
    try model.serializedData().write(to: URL(filePath: path))
    return path
  }

  private let x = Tensor(.float64, [2], [5, 7])

  @Test(arguments: [(linear(), "glmRegressor", 32.0), (pipeline(), "scaler", 63)])
  func comesBack(_ model: CoreML_Specification_Model, _ kind: String, _ answer: Double) throws {
    let scratch = try Scratch()
    var kept = try #require(try KeptModel(try written(model, scratch)))
    #expect(kept.kind == kind)
    kept.metadata.removeAll { $0.key == "author" }
    kept.metadata.append(("license", "none"))
    let paths = ["one", "two"].map { scratch.file("\($0).mlpackage") }
    for path in paths {
      let report = try CoreMLPackage.write(pipeline: [CoreMLPart("model", kept)], to: path)
      #expect(report.refusals.isEmpty && report.notes.count == 1)
    }
    for file in ["Manifest.json", "Data/com.apple.CoreML/model.mlmodel"] {
      #expect(FileManager.default.contentsEqual(atPath: "\(paths[0])/\(file)", andPath: "\(paths[1])/\(file)"))
    }
    let whole = try CoreML_Specification_Model(
      serializedBytes: Data(contentsOf: URL(filePath: "\(paths[0])/Data/com.apple.CoreML/model.mlmodel"))
    )
    var expected = model
    expected.description_p.metadata.author = ""
    expected.description_p.metadata.license = "none"
    #expect(whole == expected)
    let back = try CoreMLPackage.read(paths[0])
    #expect(back.metadata.contains { $0 == ("license", "none") } && !back.metadata.contains { $0.key == "author" })
    #expect(try Interpreter(back.main).run([x])[0].doubles == [answer])
  }

  @Test func networksAndProgramsAreNot() throws {
    for name in ["nn_cnn.mlmodel", "mil_cond.mlpackage", "pipeline_nn.mlmodel", "pipeline_mlprogram.mlpackage"] {
      #expect(try KeptModel(ImportTests.fixture(name)) == nil, "\(name)")
    }
  }

  @Test func chainsAreWritten() throws {
    let scratch = try Scratch()
    let parts = try zip(["scale", "sum"], Self.pipeline().pipeline.models).map { name, model in
      CoreMLPart(name, try #require(try KeptModel(try written(model, scratch))))
    }
    let path = scratch.file("p.mlpackage")
    _ = try CoreMLPackage.write(pipeline: parts, to: path)
    #expect(try Interpreter(CoreMLPackage.read(path).main).run([x])[0].doubles == [63])
    let single = try program { builder in
      let raw = builder.input("raw", TensorType(.float32, [2]))
      return [("v", try builder(Neg(), raw, name: "v"))]
    }
    expectDiagnostic("coreml.pipeline") {
      _ = try CoreMLPackage.write(pipeline: [CoreMLPart("a", single), parts[1]], to: path)
    }
  }

  /// Beside a network, whose weights are in the file too.
  @Test func weightsOfNetworksAreKept() throws {
    let scratch = try Scratch()
    let path = scratch.file("p.mlpackage")
    var network = try CoreML_Specification_Model(
      serializedBytes: Data(contentsOf: URL(filePath: ImportTests.fixture("nn_cnn.mlmodel")))
    )
    network.description_p.metadata = .init()
    var both = Self.pipeline()
    both.pipeline.models.append(network)
    both.description_p.input += network.description_p.input
    both.description_p.output += network.description_p.output
    let kept = try #require(try KeptModel(try written(both, scratch)))
    _ = try CoreMLPackage.write(pipeline: [CoreMLPart("model", kept)], to: path)
    let back = try CoreMLPackage.read(path).main
    let image = numbers(.float32, try #require(back.type(back.inputs[1]).staticShape))
    let alone = try CoreMLPackage.read(ImportTests.fixture("nn_cnn.mlmodel")).main
    let results = try Interpreter(back).run([x, image])
    let answer = try Interpreter(alone).run([image])[0]
    #expect(results[0].doubles == [63] && results[1].floats == answer.floats)
  }

  @Test func weightsFilesAreCopied() throws {
    let scratch = try Scratch()
    let (source, model) = (scratch.file("s.mlpackage"), "Data/com.apple.CoreML/model.mlmodel")
    try FileManager.default.copyItem(atPath: ImportTests.fixture("mil_cnn_image.mlpackage"), toPath: source)
    let url = URL(filePath: "\(source)/\(model)")
    let network = try CoreML_Specification_Model(serializedBytes: Data(contentsOf: url))
    var both = Self.pipeline()
    both.specificationVersion = network.specificationVersion
    both.pipeline.models.append(network)
    both.description_p.input += network.description_p.input
    both.description_p.output += network.description_p.output
    try both.serializedData().write(to: url)
    let kept = try #require(try KeptModel(source))
    let path = scratch.file("p.mlpackage")
    let report = try CoreMLPackage.write(pipeline: [CoreMLPart("model", kept)], to: path)
    let weights = "Data/com.apple.CoreML/weights/weight.bin"
    #expect(FileManager.default.contentsEqual(atPath: "\(source)/\(weights)", andPath: "\(path)/\(weights)"))
    #expect(report.weightBytes > 0)
    #expect(difference(try CoreMLPackage.read(source), try CoreMLPackage.read(path)) == nil)
    expectDiagnostic("coreml.pipeline") {
      _ = try CoreMLPackage.write(pipeline: [CoreMLPart("a", kept), CoreMLPart("b", kept)], to: path)
    }
  }
}
