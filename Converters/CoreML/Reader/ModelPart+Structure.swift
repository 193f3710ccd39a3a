import CoreMLProto
import MLCCore

extension ModelPart {
  /// What the model is made of, as its file says.
  var structure: ModelStructure { structure(depth: 0) }

  private func structure(depth: Int) -> ModelStructure {
    let parts = pipelined
    if !parts.isEmpty {
      guard depth < PipelineImporter.deepest else { return .unsupported }
      let names = ModelPart.names(parts.count, spec)
      return .pipeline(zip(names, parts).map { ModelStructure.Part($0, $1.structure(depth: depth + 1)) })
    }
    if case .mlProgram(let program)? = spec.type { return ModelPart.structure(program, first: defaultFunction) }
    guard let network = NNModel(spec, weights) else { return .unsupported }
    return .network(network.layers.map { ModelStructure.Layer(NNLayer($0)) })
  }

  /// What a pipeline calls its models, their numbers where it does not.
  private static func names(_ count: Int, _ spec: MLModelSpec) -> [String] {
    let given =
      switch spec.type {
      case .pipeline(let own)?: own.names
      case .pipelineClassifier(let own)?: own.pipeline.names
      case .pipelineRegressor(let own)?: own.pipeline.names
      default: [String]()
      }
    return (0..<count).map { $0 < given.count && !given[$0].isEmpty ? given[$0] : "model\($0)" }
  }

  private var defaultFunction: String {
    description.defaultFunctionName.isEmpty ? "main" : description.defaultFunctionName
  }

  private static func structure(_ program: MILProgram, first: String) -> ModelStructure {
    let names = program.functions.keys.sorted { ($0 != first ? 1 : 0, $0) < ($1 != first ? 1 : 0, $1) }
    return .program(
      names.compactMap { name in
        guard let function = program.functions[name], let body = function.blockSpecializations[function.opset] else {
          return nil
        }
        return ModelStructure.Function(name, function.inputs.map { $0.described }, body.structure)
      }
    )
  }
}

extension MILBlock {
  fileprivate var structure: ModelStructure.Block {
    ModelStructure.Block(inputs.map { $0.described }, operations.map { $0.structure }, outputs: outputs)
  }
}

extension MILOperation {
  /// What diagnostics and kernels call it: its label, else its first output.
  var node: String {
    let label = attributes["name"].flatMap { $0.immediateValue.tensor.strings.values.first }
    return label ?? outputs.first?.name ?? type
  }

  fileprivate var structure: ModelStructure.Operation {
    ModelStructure.Operation(
      type,
      node: node,
      inputs: inputs.mapValues { argument in
        argument.arguments.compactMap { binding -> ModelStructure.Binding? in
          switch binding.binding {
          case .name(let name)?: .name(name)
          case .value(let value)?: .value(value.type.described)
          case nil: nil
          }
        }
      },
      outputs: outputs.map { $0.described },
      blocks: blocks.map { $0.structure }
    )
  }
}

extension MILNamedType {
  fileprivate var described: ModelStructure.NamedType { ModelStructure.NamedType(name, type.described) }
}

extension MILValueType {
  /// `fp32[1, ?]`; extents that are not known are `?`.
  fileprivate var described: String {
    switch type {
    case .tensorType(let tensor)?:
      let extents = tensor.dimensions.map { dimension -> String in
        if case .constant(let constant)? = dimension.dimension { "\(constant.size)" } else { "?" }
      }
      let element = DType(tensor.dataType)?.rawValue ?? "\(tensor.dataType)"
      return "\(element)[\(extents.joined(separator: ", "))]"
    case .listType(let list)?: return "list of \(list.type.element)"
    case .tupleType?: return "tuple"
    case .dictionaryType?: return "dictionary"
    case .stateType(let state)?: return "state of \(state.wrappedType.element)"
    case nil: return "nothing"
    }
  }

  /// Of a list or state, which holds no other of them.
  private var element: String {
    if case .tensorType? = type { described } else { "values" }
  }
}

extension ModelStructure.Layer {
  fileprivate init(_ layer: NNLayer) {
    self.init(
      layer.name,
      layer.kind,
      inputs: layer.spec.input,
      outputs: layer.spec.output,
      inner: NNLayer.names(inside: layer.spec, depth: 0)
    )
  }
}

extension NNLayer {
  /// Of layers in branches and loops.
  fileprivate static func names(inside spec: NNLayerSpec, depth: Int) -> [String] {
    guard depth < 64 else { return [] }
    let layers =
      switch spec.layer {
      case .branch(let branch)?: branch.ifBranch.layers + branch.elseBranch.layers
      case .loop(let loop)?: loop.conditionNetwork.layers + loop.bodyNetwork.layers
      default: [NNLayerSpec]()
      }
    return layers.flatMap { [NNLayer($0).name] + names(inside: $0, depth: depth + 1) }
  }
}
