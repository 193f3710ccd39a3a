import Foundation
import MLCCore
import MLCImportONNX
import ONNXProto
import SwiftProtobuf
import Testing

/// A file of `Fixtures`.
func fixture(_ name: String) throws -> String {
  let folder = try #require(Bundle.module.resourcePath)
  return "\(folder)/Fixtures/\(name)"
}

func storage(_ bytes: some Collection<UInt8>) -> Storage {
  Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
}

/// Serialises a model and reads it back.
func read(_ model: Onnx_ModelProto, folder: String? = nil) throws -> ONNXModel {
  try ONNXReader.read(storage([UInt8](model.serializedData())), name: "test.onnx", folder: folder)
}

/// Runs `body` and requires a diagnostic with this id, which it returns.
@discardableResult
func expectDiagnostic(
  _ id: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) -> Diagnostic? {
  do {
    try body()
    Issue.record("nothing was thrown, expected \(id)", sourceLocation: sourceLocation)
  } catch let error as Diagnostic {
    #expect(error.id.rawValue == id, "\(error)", sourceLocation: sourceLocation)
    return error
  } catch { Issue.record("\(error), expected \(id)", sourceLocation: sourceLocation) }
  return nil
}

// MARK: Models in a line

/// A model of one graph: inputs `x`, output `y`, unless told otherwise.
func model(
  _ nodes: [Onnx_NodeProto] = [node("Relu", ["x"], ["y"])],
  initializers: [Onnx_TensorProto] = [],
  inputs: [String] = ["x"],
  outputs: [String] = ["y"]
) -> Onnx_ModelProto {
  .with {
    $0.irVersion = 8
    $0.opsetImport = [.with { $0.version = 17 }]
    $0.graph = graph(nodes, initializers: initializers, inputs: inputs, outputs: outputs)
  }
}

func graph(
  _ nodes: [Onnx_NodeProto],
  initializers: [Onnx_TensorProto] = [],
  inputs: [String] = [],
  outputs: [String] = []
) -> Onnx_GraphProto {
  .with {
    $0.node = nodes
    $0.initializer = initializers
    $0.input = inputs.map { name in .with { $0.name = name } }
    $0.output = outputs.map { name in .with { $0.name = name } }
  }
}

func node(
  _ type: String,
  _ inputs: [String],
  _ outputs: [String],
  _ attributes: [Onnx_AttributeProto] = []
) -> Onnx_NodeProto {
  .with {
    $0.opType = type
    $0.input = inputs
    $0.output = outputs
    $0.attribute = attributes
  }
}

func body(_ name: String, _ graph: Onnx_GraphProto) -> Onnx_AttributeProto {
  .with {
    $0.name = name
    $0.type = .graph
    $0.g = graph
  }
}

func floats(_ name: String, _ dims: [Int64], _ values: [Float]) -> Onnx_TensorProto {
  .with {
    $0.name = name
    $0.dataType = 1
    $0.dims = dims
    $0.floatData = values
  }
}
