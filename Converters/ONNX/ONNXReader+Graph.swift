import Foundation
import MLCCore
import ONNXProto

extension ONNXReader {
  /// A graph whose nodes are ordered and whose names are checked; `nesting` counts the graphs around it.
  func graph(_ proto: Onnx_GraphProto, nesting: Int) throws(Diagnostic) -> ONNXGraph {
    guard nesting <= Self.maximumNesting else {
      throw Diagnostic("onnx.nesting", "graphs nest more than \(Self.maximumNesting) deep")
    }
    var graph = ONNXGraph(
      name: proto.name,
      nodes: try nodes(proto.node, nesting: nesting),
      inputs: proto.input.map(valueInfo),
      outputs: proto.output.map(valueInfo),
      valueInfo: proto.valueInfo.map(valueInfo)
    )
    for initializer in proto.initializer { try graph.define(initializer.name, try tensor(initializer)) }
    for initializer in proto.sparseInitializer {
      try graph.define(initializer.values.name, try sparseTensor(initializer))
    }
    try graph.order(isBody: nesting > 0)
    return graph
  }

  func nodes(_ protos: [Onnx_NodeProto], nesting: Int) throws(Diagnostic) -> [ONNXNode] {
    var nodes: [ONNXNode] = []
    nodes.reserveCapacity(protos.count)
    for proto in protos { nodes.append(try node(proto, nesting: nesting)) }
    return nodes
  }

  private func node(_ proto: Onnx_NodeProto, nesting: Int) throws(Diagnostic) -> ONNXNode {
    var node = ONNXNode(
      name: proto.name,
      opType: proto.opType,
      domain: proto.domain,
      overload: proto.overload,
      inputs: proto.input,
      outputs: proto.output
    )
    guard !node.opType.isEmpty else {
      throw Diagnostic("onnx.operator-type", "the node names no operator", at: .init(node: node.name))
    }
    node.attributes = try locating(node.location) { () throws(Diagnostic) in
      try attributes(proto.attribute, nesting: nesting)
    }
    return node
  }

  func attributes(
    _ protos: [Onnx_AttributeProto],
    nesting: Int
  ) throws(Diagnostic) -> [String: ONNXAttribute] {
    var attributes: [String: ONNXAttribute] = [:]
    for proto in protos {
      let value = try attribute(proto, nesting: nesting)
      guard attributes.updateValue(value, forKey: proto.name) == nil else {
        throw Diagnostic("onnx.duplicate-attribute", "attribute '\(proto.name)' is given twice")
      }
    }
    return attributes
  }

  private func attribute(_ proto: Onnx_AttributeProto, nesting: Int) throws(Diagnostic) -> ONNXAttribute {
    if !proto.refAttrName.isEmpty { return .reference(proto.refAttrName) }
    switch proto.hasType ? proto.type : kind(of: proto) {
    case .float: return .float(proto.f)
    case .int: return .int(Int(proto.i))
    case .string: return String(validating: proto.s, as: UTF8.self).map { .string($0) } ?? .bytes([UInt8](proto.s))
    case .floats: return .floats(proto.floats)
    case .ints: return .ints(proto.ints.map(Int.init))
    case .strings: return .strings(try strings(proto.strings, in: proto.name))
    case .tensor: return .tensor(try tensor(proto.t, attribute: proto.name))
    case .tensors: return .tensors(try each(proto.tensors) { t throws(Diagnostic) in try tensor(t) })
    case .sparseTensor: return .tensor(try sparseTensor(proto.sparseTensor))
    case .sparseTensors: return .tensors(try each(proto.sparseTensors, sparseTensor))
    case .graph: return .graph(try graph(proto.g, nesting: nesting + 1))
    case .graphs:
      return .graphs(try each(proto.graphs) { g throws(Diagnostic) in try graph(g, nesting: nesting + 1) })
    case .typeProto: return .type(valueInfo(proto.name, proto.tp))
    case .typeProtos: return .types(proto.typeProtos.map { valueInfo(proto.name, $0) })
    case .undefined:
      throw Diagnostic("onnx.attribute-type", "attribute '\(proto.name)' has no type and no value")
    }
  }

  /// The kind of an attribute without a declared one, by the field that is set.
  private func kind(of proto: Onnx_AttributeProto) -> Onnx_AttributeProto.AttributeType {
    if proto.hasI { return .int }
    if proto.hasF { return .float }
    if proto.hasS { return .string }
    if proto.hasT { return .tensor }
    if proto.hasG { return .graph }
    if !proto.ints.isEmpty { return .ints }
    if !proto.floats.isEmpty { return .floats }
    if !proto.strings.isEmpty { return .strings }
    if !proto.tensors.isEmpty { return .tensors }
    if !proto.graphs.isEmpty { return .graphs }
    if proto.hasSparseTensor { return .sparseTensor }
    return proto.hasTp ? .typeProto : .undefined
  }

  private func strings(_ values: [Data], in name: String) throws(Diagnostic) -> [String] {
    try each(values) { bytes throws(Diagnostic) in
      guard let string = String(validating: bytes, as: UTF8.self) else {
        throw Diagnostic("onnx.string", "a string of '\(name)' is not UTF-8")
      }
      return string
    }
  }

  func each<T, R>(_ values: [T], _ body: (T) throws(Diagnostic) -> R) throws(Diagnostic) -> [R] {
    var results: [R] = []
    for value in values { results.append(try body(value)) }
    return results
  }
}

extension ONNXGraph {
  /// Adds an initializer.
  fileprivate mutating func define(_ name: String, _ value: Tensor) throws(Diagnostic) {
    guard !name.isEmpty else { throw Diagnostic("onnx.unnamed-value", "an initializer has no name") }
    guard initializers.updateValue(value, forKey: name) == nil else {
      throw Diagnostic("onnx.duplicate-value", "initializer '\(name)' is defined twice")
    }
    initializerNames.append(name)
  }
}
