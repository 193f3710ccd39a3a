import CoreMLProto
import Foundation
import MLCCore
import MLCTensorIO
import ONNXProto
import SwiftProtobuf

/// A model of one format, every name in it from a `NameSource`.
struct NamedModel {
  /// Of the file, with the format's suffix.
  let file: String
  /// Writes the model into a folder; answers names that its nodes or layers have.
  let write: @Sendable (_ path: String, _ names: inout NameSource) throws -> [String]

  static let all = [
    NamedModel(file: "m.onnx") { path, names in
      let (model, nodes) = ONNXNames.model(&names)
      try model.serializedData().write(to: URL(filePath: path))
      return nodes
    },
    NamedModel(file: "m.keras") { path, names in try KerasNames.archive(path, &names) },
    NamedModel(file: "m.h5") { path, names in try KerasNames.hdf5(path, hostile: names.isHostile) },
    NamedModel(file: "m.mlmodel") { path, names in
      let (model, nodes) = CoreMLNames.program(&names)
      try model.serializedData().write(to: URL(filePath: path))
      return nodes
    },
    NamedModel(file: "n.mlmodel") { path, names in
      let (model, nodes) = CoreMLNames.network(&names)
      try model.serializedData().write(to: URL(filePath: path))
      return nodes
    },
  ]
}

/// ONNX: a product, then a sum with a constant for each payload, beside it a branch.
enum ONNXNames {
  static func model(_ names: inout NameSource) -> (model: Onnx_ModelProto, nodes: [String]) {
    var (nodes, graph) = ([Onnx_NodeProto](), Onnx_GraphProto())
    let (x, length, w) = (names.all(), names.all(), names.all())
    graph.name = names.all()
    graph.docString = names.all()
    graph.input = [input(x, [.with { $0.dimParam = length }, .with { $0.dimValue = 4 }])]
    graph.initializer = [tensor(w, [4, 4]) { $0.docString = "" }]
    var last = names.all()
    nodes.append(node("MatMul", [x, w], last, &names))
    for _ in NameSource.payloads {
      let (constant, sum) = (names.one(), names.one())
      graph.initializer.append(tensor(constant, [4]) { _ in })
      nodes.append(node("Add", [last, constant], sum, &names))
      last = sum
    }
    let (y, z, second) = (names.all(), names.all(), names.all())
    graph.input.append(input(second, [.with { $0.dimParam = names.all() }]))
    nodes.append(node("Softmax", [last], y, &names))
    nodes.append(node("Sigmoid", [second], z, &names))
    graph.output = [y, z].map { name in .with { $0.name = name } }
    graph.valueInfo = [input(last, [.with { $0.dimParam = names.all() }])]
    let originalNames = nodes.map { $0.name }
    graph.node = nodes
    let model = Onnx_ModelProto.with {
      ($0.irVersion, $0.graph) = (8, graph)
      ($0.producerName, $0.producerVersion) = (names.all(), names.all())
      ($0.domain, $0.docString) = (names.all(), names.all())
      $0.opsetImport = [.with { $0.version = 17 }]
      $0.metadataProps = ["author", "description", names.all(), names.one()].map { key in
        .with { ($0.key, $0.value) = (key, names.all()) }
      }
      $0.functions = [
        .with {
          ($0.name, $0.domain, $0.docString) = (names.all(), names.all(), names.all())
          let (given, answer) = (names.all(), names.all())
          ($0.input, $0.output) = ([given], [answer])
          $0.opsetImport = [.with { $0.version = 17 }]
          $0.node = [node("Relu", [given], answer, &names)]
        }
      ]
    }
    return (model, originalNames)
  }

  static func node(_ type: String, _ inputs: [String], _ output: String, _ names: inout NameSource) -> Onnx_NodeProto {
    .with {
      ($0.opType, $0.input, $0.output) = (type, inputs, [output])
      ($0.name, $0.docString) = (names.one(), names.all())
    }
  }

  static func input(_ name: String, _ dims: [Onnx_TensorShapeProto.Dimension]) -> Onnx_ValueInfoProto {
    .with {
      $0.name = name
      $0.type.tensorType.elemType = 1
      $0.type.tensorType.shape.dim = dims
    }
  }

  static func tensor(_ name: String, _ dims: [Int64], _ more: (inout Onnx_TensorProto) -> Void) -> Onnx_TensorProto {
    var tensor = Onnx_TensorProto()
    (tensor.name, tensor.dataType, tensor.dims) = (name, 1, dims)
    tensor.floatData = (0..<dims.reduce(1, *)).map { 0.125 * Float($0 % 7) }
    more(&tensor)
    return tensor
  }
}
