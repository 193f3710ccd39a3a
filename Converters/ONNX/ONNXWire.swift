import MLCProtobuf

/// Where tensor elements lie in a serialised `ModelProto` and in values, for `ProtobufScan`.
enum ONNXWire {
  private static let model: UInt8 = 0
  private static let training: UInt8 = 1
  private static let function: UInt8 = 2
  private static let graph: UInt8 = 3
  private static let node: UInt8 = 4
  private static let attribute: UInt8 = 5
  private static let sparse: UInt8 = 6
  private static let tensor: UInt8 = 7
  private static let sequence: UInt8 = 8

  /// Field numbers of `TensorProto` that hold elements.
  static let floatData: UInt32 = 4
  static let int32Data: UInt32 = 5
  static let int64Data: UInt32 = 7
  static let rawData: UInt32 = 9
  static let doubleData: UInt32 = 10
  static let uint64Data: UInt32 = 11

  private static let structure: [ProtobufScan.Rule] = [
    .init(model, 7, graph),
    .init(model, 20, training),
    .init(model, 25, function),
    .init(training, 1, graph),
    .init(training, 2, graph),
    .init(function, 7, node),
    .init(function, 11, attribute),
    .init(graph, 1, node),
    .init(graph, 5, tensor),
    .init(graph, 15, sparse),
    .init(node, 5, attribute),
    .init(attribute, 5, tensor),
    .init(attribute, 6, graph),
    .init(attribute, 10, tensor),
    .init(attribute, 11, graph),
    .init(attribute, 22, sparse),
    .init(attribute, 23, sparse),
    .init(sparse, 1, tensor),
    .init(sparse, 2, tensor),
  ]
  static let rules = structure + elements(of: tensor)

  /// Where they lie in files of a single value.
  static let tensorRules = elements(of: 0)
  static let sequenceRules = [ProtobufScan.Rule(0, 3, tensor)] + elements(of: tensor)
  static let optionalRules =
    [ProtobufScan.Rule(0, 3, tensor), .init(0, 5, sequence), .init(sequence, 3, tensor)] + elements(of: tensor)

  /// Those of messages of type `message`, each a tensor.
  private static func elements(of message: UInt8) -> [ProtobufScan.Rule] {
    [floatData, int32Data, int64Data, rawData, doubleData, uint64Data].map { .init(message, $0, nil) }
  }
}
