/// What a source model is made of, as its author sees it: for reports. Nothing that runs depends on it.
package indirect enum ModelStructure: Hashable, Sendable {
  /// The function that runs by default first.
  case program([Function])
  case network([Layer])
  case pipeline([Part])
  /// A model that is none of these.
  case unsupported

  /// A model of a pipeline.
  package struct Part: Hashable, Sendable {
    package var name: String, structure: ModelStructure

    package init(_ name: String, _ structure: ModelStructure) { (self.name, self.structure) = (name, structure) }
  }

  /// A value and its type as people read it, `fp32[1, 3]`.
  package struct NamedType: Hashable, Sendable {
    package var name: String, type: String

    package init(_ name: String, _ type: String) { (self.name, self.type) = (name, type) }
  }

  package struct Function: Hashable, Sendable {
    package var name: String, inputs: [NamedType], block: Block

    package init(_ name: String, _ inputs: [NamedType], _ block: Block) {
      (self.name, self.inputs, self.block) = (name, inputs, block)
    }
  }

  package struct Block: Hashable, Sendable {
    package var inputs: [NamedType], operations: [Operation], outputs: [String]

    package init(_ inputs: [NamedType] = [], _ operations: [Operation], outputs: [String]) {
      (self.inputs, self.operations, self.outputs) = (inputs, operations, outputs)
    }
  }

  package struct Operation: Hashable, Sendable {
    /// What kernels call it among their origins; several operations may be one node of the user's model.
    package var node: String
    package var op: String
    /// By the argument's name.
    package var inputs: [String: [Binding]]
    package var outputs: [NamedType], blocks: [Block]

    package init(
      _ op: String,
      node: String,
      inputs: [String: [Binding]],
      outputs: [NamedType],
      blocks: [Block] = []
    ) {
      (self.op, self.node, self.inputs, self.outputs, self.blocks) = (op, node, inputs, outputs, blocks)
    }
  }

  package enum Binding: Hashable, Sendable {
    case name(String)
    /// A constant, by its type.
    case value(String)
  }

  package struct Layer: Hashable, Sendable {
    package var name: String, type: String, inputs: [String], outputs: [String]
    /// What kernels call the layers inside of it, those of a loop or branch.
    package var inner: [String]

    package init(_ name: String, _ type: String, inputs: [String], outputs: [String], inner: [String] = []) {
      (self.name, self.type, self.inputs, self.outputs, self.inner) = (name, type, inputs, outputs, inner)
    }
  }
}
