import CoreMLProto
import SwiftProtobuf

/// Core ML models under any names.
enum CoreMLNames {
  typealias Model = CoreML_Specification_Model
  typealias MIL = CoreML_Specification_MILSpec_Operation

  /// An ML program: `relu` for each payload, on an input whose first extent is open.
  static func program(_ names: inout NameSource) -> (model: Model, nodes: [String]) {
    let x = names.all()
    let type = tensor([.with { $0.unknown = .init() }, .with { $0.constant.size = 4 }])
    var (operations, nodes, last) = ([MIL](), [String](), x)
    for _ in NameSource.payloads {
      let (value, node) = (names.one(), names.one())
      operations.append(operation(last, value, node, type, &names))
      nodes.append(node)
      last = value
    }
    var model = Model()
    model.specificationVersion = 6
    model.mlProgram.version = 1
    model.mlProgram.docString = names.all()
    model.mlProgram.functions["main"] = .with {
      $0.opset = "iOS15"
      $0.inputs = [.with { ($0.name, $0.type) = (x, type) }]
      $0.blockSpecializations["iOS15"] = .with { ($0.operations, $0.outputs) = (operations, [last]) }
    }
    model.description_p = description(&names)
    model.description_p.input = [feature(x, [1, 4], &names)]
    model.description_p.output = [feature(last, [1, 4], &names)]
    return (model, nodes)
  }

  /// A classifier: `relu` for each payload, then softmax over classes.
  static func network(_ names: inout NameSource) -> (model: Model, nodes: [String]) {
    var (layers, nodes) = ([CoreML_Specification_NeuralNetworkLayer](), [String]())
    let x = names.all()
    var last = x
    for index in 0...NameSource.payloads.count {
      let (value, node) = (names.one(), names.one())
      layers.append(
        .with {
          ($0.name, $0.input, $0.output) = (node, [last], [value])
          if index == NameSource.payloads.count { $0.softmaxNd.axis = -1 } else { $0.activation.reLu = .init() }
        }
      )
      nodes.append(node)
      last = value
    }
    var model = Model()
    model.specificationVersion = 4
    model.neuralNetworkClassifier = .with {
      ($0.layers, $0.labelProbabilityLayerName) = (layers, last)
      $0.arrayInputShapeMapping = .exactArrayMapping
      $0.stringClassLabels.vector = (0..<4).map { _ in names.one() }
    }
    model.description_p = description(&names)
    model.description_p.input = [feature(x, [1, 4], &names)]
    let (probabilities, label) = (names.all(), names.all())
    model.description_p.output = [
      .with {
        $0.name = probabilities
        $0.type.dictionaryType.stringKeyType = .init()
      },
      .with {
        $0.name = label
        $0.type.stringType = .init()
      },
    ]
    model.description_p.predictedFeatureName = label
    model.description_p.predictedProbabilitiesName = probabilities
    return (model, nodes)
  }

  private static func operation(
    _ input: String,
    _ output: String,
    _ node: String,
    _ type: CoreML_Specification_MILSpec_ValueType,
    _ names: inout NameSource
  ) -> MIL {
    .with {
      $0.type = "relu"
      $0.inputs["x"] = .with { $0.arguments = [.with { $0.name = input }] }
      $0.outputs = [.with { ($0.name, $0.type) = (output, type) }]
      $0.attributes["name"] = string(node)
      $0.attributes[names.all()] = string(names.all())
    }
  }

  private static func string(_ text: String) -> CoreML_Specification_MILSpec_Value {
    .with {
      $0.type.tensorType.dataType = .string
      $0.immediateValue.tensor.strings.values = [text]
    }
  }

  private static func tensor(_ dimensions: [CoreML_Specification_MILSpec_Dimension])
    -> CoreML_Specification_MILSpec_ValueType
  {
    .with {
      ($0.tensorType.dataType, $0.tensorType.rank) = (.float32, Int64(dimensions.count))
      $0.tensorType.dimensions = dimensions
    }
  }

  private static func feature(_ name: String, _ shape: [Int64], _ names: inout NameSource)
    -> CoreML_Specification_FeatureDescription
  {
    .with {
      ($0.name, $0.shortDescription) = (name, names.all())
      ($0.type.multiArrayType.shape, $0.type.multiArrayType.dataType) = (shape, .float32)
    }
  }

  private static func description(_ names: inout NameSource) -> CoreML_Specification_ModelDescription {
    var result = CoreML_Specification_ModelDescription()
    (result.metadata.author, result.metadata.license) = (names.all(), names.all())
    (result.metadata.shortDescription, result.metadata.versionString) = (names.all(), names.all())
    for _ in 0..<2 { result.metadata.userDefined[names.all()] = names.all() }
    return result
  }
}
