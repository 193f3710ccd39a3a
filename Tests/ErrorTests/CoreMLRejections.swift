import CoreMLProto
import MLCCore
import MLCFormatCoreML
import SwiftProtobuf

private typealias MIL = CoreML_Specification_MILSpec_Operation
private typealias Model = CoreML_Specification_Model
private typealias ValueType = CoreML_Specification_MILSpec_ValueType

extension Rejection {
  static let coreML: [Rejection] = [
    model("coreml.blocks") { $0.blocks = [.init()] },
    model("constexpr.dtype") { operation in
      operation.type = "constexpr_cast"
      operation.inputs = [:]
      operation.attributes = ["source_val": constant(.int32)]
    },
    model("coreml.constant") {
      $0.attributes["val"] = CoreML_Specification_MILSpec_Value.with { $0.type = scalar(.int32) }
    },
    whole("coreml.function") { $0.mlProgram.functions = [:] },
    whole("coreml.function") { $0.mlProgram.functions["main"]?.opset = "none" },
    whole("coreml.malformed") { $0.mlProgram.docString = String(repeating: "x", count: 3) },
    whole("coreml.link") { $0.linkedModel.linkedModelFile.linkedModelFileName.defaultValue = "../up.mlmodel" },
    whole("coreml.link") { $0.linkedModel.linkedModelFile.linkedModelFileName.defaultValue = "gone.mlmodelc" },
    whole("coreml.link") { $0.linkedModel.linkedModelFile.linkedModelFileName.defaultValue = "a.mlmodel" },
    whole("coreml.model-type") { $0.visionFeaturePrint = .init() },
    whole("coreml.model-type") { $0.pipeline.models = [.with { $0.customModel = .init() }] },
    whole("coreml.outputs") { $0.identity = .init() },
    whole("coreml.pipeline") { $0.pipeline = .init() },
    whole("coreml.pipeline") { spec in
      for _ in 0..<20 {
        let inner = spec
        spec.pipeline = .with { $0.models = [inner] }
      }
    },
    whole("coreml.not-a-model") { $0.type = nil },
    whole("coreml.note") { $0.description_p.metadata.userDefined["com.mlc.program"] = "{" },
    whole("coreml.note") { $0.description_p.metadata.userDefined["com.mlc.program"] = "zlib:2:e30=" },
    model("coreml.outputs") { operation in
      operation.type = "const"
      operation.inputs = [:]
      operation.outputs = []
    },
    model("coreml.outputs") { $0.outputs.append($0.outputs[0]) },
    model("coreml.parameter") { $0.inputs["z"] = $0.inputs["x"] },
    model("coreml.parameter") { $0.inputs["x"] = .with { $0.arguments = [.init()] } },
    whole("coreml.type") { $0.mlProgram.functions["main"]?.inputs[0].type = .init() },
    model("coreml.undefined-value") { $0.inputs["x"] = argument("z") },
    whole("coreml.undefined-value") { spec in
      let inner = spec
      spec.pipeline.models = [.with { ($0.identity, $0.description_p.input) = (.init(), [feature("z")]) }, inner]
    },
    whole("coreml.undefined-value") { $0.mlProgram.functions["main"]?.blockSpecializations["iOS15"]?.outputs = ["z"] },
    model("coreml.unsupported") { $0.type = "frobnicate" },
  ]

  /// The model `y = relu(x)` after `damage` to its operation.
  private static func model(_ id: String, _ damage: @escaping @Sendable (inout MIL) -> Void) -> Rejection {
    whole(id) { damage(&$0.mlProgram.functions["main"]!.blockSpecializations["iOS15"]!.operations[0]) }
  }

  /// The same after `damage` anywhere; a malformed one loses its last byte.
  private static func whole(_ id: String, _ damage: @escaping @Sendable (inout Model) -> Void) -> Rejection {
    Rejection(id) {
      var spec = relu
      damage(&spec)
      var bytes = [UInt8](try spec.serializedData())
      if id == "coreml.malformed" { bytes.removeLast() }
      let folder = try ScratchFolder()
      _ = try CoreMLPackage.read(try folder.write(bytes, to: "a.mlmodel"))
    }
  }

  private static var relu: Model {
    let operation = MIL.with {
      $0.type = "relu"
      $0.inputs = ["x": argument("x")]
      $0.outputs = [.with { ($0.name, $0.type) = ("y", scalar(.float32)) }]
    }
    return .with {
      $0.specificationVersion = 6
      $0.mlProgram.version = 1
      $0.mlProgram.functions["main"] = .with {
        $0.opset = "iOS15"
        $0.inputs = [.with { ($0.name, $0.type) = ("x", scalar(.float32)) }]
        $0.blockSpecializations["iOS15"] = .with { ($0.operations, $0.outputs) = ([operation], ["y"]) }
      }
    }
  }

  private static func feature(_ name: String) -> CoreML_Specification_FeatureDescription {
    .with { ($0.name, $0.type.doubleType) = (name, .init()) }
  }

  private static func argument(_ name: String) -> CoreML_Specification_MILSpec_Argument {
    .with { $0.arguments = [.with { $0.name = name }] }
  }

  private static func scalar(_ type: CoreML_Specification_MILSpec_DataType) -> ValueType {
    .with { $0.tensorType.dataType = type }
  }

  private static func constant(_ type: CoreML_Specification_MILSpec_DataType) -> CoreML_Specification_MILSpec_Value {
    .with {
      $0.type = scalar(type)
      $0.immediateValue.tensor.ints.values = [0]
    }
  }
}
