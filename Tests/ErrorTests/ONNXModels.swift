import Foundation
import MLCCore
import MLCGraph
import MLCImportONNX
import ONNXProto
import SwiftProtobuf

/// Small models of one node.
enum ONNXModels {
  static func node(_ type: String, _ inputs: [String], _ attributes: [Onnx_AttributeProto]) -> Onnx_NodeProto {
    .with {
      $0.opType = type
      $0.input = inputs
      $0.output = ["y"]
      $0.attribute = attributes
    }
  }

  /// Inputs are float of the given extents; `opset` 0 leaves the operator set out.
  static func model(
    _ nodes: [Onnx_NodeProto],
    inputs: [(name: String, shape: [Int]?)],
    constants: [Onnx_TensorProto] = [],
    opset: Int = 17
  ) -> Onnx_ModelProto {
    .with {
      $0.irVersion = 8
      if opset > 0 { $0.opsetImport = [.with { $0.version = Int64(opset) }] }
      $0.graph = .with {
        $0.node = nodes
        $0.initializer = constants
        $0.input = inputs.map { input in .with { fill(&$0, input.name, input.shape) } }
        $0.output = [.with { $0.name = "y" }]
      }
    }
  }

  private static func fill(_ info: inout Onnx_ValueInfoProto, _ name: String, _ shape: [Int]?) {
    info.name = name
    guard let shape else { return }
    info.type.tensorType.elemType = 1
    info.type.tensorType.shape.dim = shape.map { extent in .with { $0.dimValue = Int64(extent) } }
  }

  static func read(_ model: Onnx_ModelProto, bindings: [String: TensorType] = [:]) throws {
    let bytes = [UInt8](try model.serializedData())
    let storage = Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
    let read = try ONNXReader.read(storage, name: "model.onnx", folder: nil)
    _ = try ONNXImporter(file: "model.onnx", bindings: bindings).program(read)
  }

  static func attribute(_ name: String, _ value: Int) -> Onnx_AttributeProto {
    .with { ($0.name, $0.type, $0.i) = (name, .int, Int64(value)) }
  }
  static func attribute(_ name: String, number: Float) -> Onnx_AttributeProto {
    .with { ($0.name, $0.type, $0.f) = (name, .float, number) }
  }
  static func attribute(_ name: String, _ values: [Int]) -> Onnx_AttributeProto {
    .with { ($0.name, $0.type, $0.ints) = (name, .ints, values.map { Int64($0) }) }
  }
  static func attribute(_ name: String, _ text: String) -> Onnx_AttributeProto {
    .with { ($0.name, $0.type, $0.s) = (name, .string, Data(text.utf8)) }
  }
  static func attribute(_ name: String, _ texts: [String]) -> Onnx_AttributeProto {
    .with {
      ($0.name, $0.type) = (name, .strings)
      $0.strings = texts.map { Data($0.utf8) }
    }
  }
  static func attribute(_ name: String, tensor: Onnx_TensorProto) -> Onnx_AttributeProto {
    .with { ($0.name, $0.type, $0.t) = (name, .tensor, tensor) }
  }

  static func integers(_ name: String, _ values: [Int]) -> Onnx_TensorProto {
    .with {
      ($0.name, $0.dataType, $0.dims) = (name, 7, [Int64(values.count)])
      $0.int64Data = values.map { Int64($0) }
    }
  }
}
