import MLCCore

extension MLModelStructure {
  /// An ML Program. Models of other formats, ONNX and Keras, are one too: their operations are those that they became
  /// when they were read, under MIL's names, and constants stand as values where they are read.
  public struct Program: Sendable {
    /// By name.
    public let functions: [String: Function]

    public struct Function: Sendable {
      public let inputs: [NamedValueType]
      public let block: Block
    }

    public struct Block: Sendable {
      /// What a block inside of an operation is given.
      public let inputs: [NamedValueType]
      public let operations: [Operation]
      public let outputNames: [String]
    }

    public struct Operation: Sendable {
      let place: ModelStructure.Place
      /// `conv`
      public let operatorName: String
      /// By the argument's name.
      public let inputs: [String: Argument]
      public let outputs: [NamedValueType]
      /// Those inside of a loop or branch.
      public let blocks: [Block]
    }

    /// What an operation is given for one of its inputs: several bindings where it takes a list of values.
    public struct Argument: Sendable {
      public let bindings: [Binding]
    }

    public enum Binding: Sendable {
      /// What an operation before, the function or the block calls so.
      case name(String)
      /// A constant.
      case value(Value)
    }

    public struct NamedValueType: Sendable {
      public let name: String
      public let type: ValueType
    }

    /// The type of a value. Its description, `fp32[1, 3]`, is not among Apple's.
    public struct ValueType: Sendable, CustomStringConvertible {
      public let description: String
    }

    /// A constant, whose elements are not kept. The description, that of its type, is not among Apple's.
    public struct Value: Sendable, CustomStringConvertible {
      public let description: String
    }
  }
}

extension MLModelStructure.Program.Function {
  init(_ function: ModelStructure.Function, _ parts: [Int]) {
    let place = ModelStructure.Place(parts: parts, function: function.name)
    (inputs, block) = (function.inputs.map { .init($0) }, .init(function.block, place))
  }
}

extension MLModelStructure.Program.Block {
  /// `place` is that of the operation that it is in and its number there, or the function.
  fileprivate init(_ block: ModelStructure.Block, _ place: ModelStructure.Place) {
    inputs = block.inputs.map { .init($0) }
    outputNames = block.outputs
    operations = block.operations.enumerated().map { .init($1, place.inside($0)) }
  }
}

extension MLModelStructure.Program.Operation {
  fileprivate init(_ operation: ModelStructure.Operation, _ place: ModelStructure.Place) {
    self.place = place
    operatorName = operation.op
    inputs = operation.inputs.mapValues { .init(bindings: $0.map { .init($0) }) }
    outputs = operation.outputs.map { .init($0) }
    blocks = operation.blocks.enumerated().map { .init($1, place.inside($0)) }
  }
}

extension MLModelStructure.Program.Binding {
  fileprivate init(_ binding: ModelStructure.Binding) {
    switch binding {
    case .name(let name): self = .name(name)
    case .value(let type): self = .value(.init(description: type))
    }
  }
}

extension MLModelStructure.Program.NamedValueType {
  fileprivate init(_ value: ModelStructure.NamedType) {
    (name, type) = (value.name, .init(description: value.type))
  }
}
