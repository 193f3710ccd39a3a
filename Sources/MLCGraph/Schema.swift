import MLCCore

/// Everything the rest of the toolchain needs to know about an operator without knowing the operator.
package struct Schema<Op: Operator>: Sendable {
  package let name: String
  package private(set) var inputs: [Port] = []
  package private(set) var outputs: [String] = []
  package private(set) var blocks: [String] = []
  package private(set) var attributes: [AttributeSpec<Op>] = []

  package init(_ name: String, _ clauses: [SchemaClause<Op>]) {
    self.name = name
    for clause in clauses {
      switch clause {
      case .port(let port): inputs.append(port)
      case .result(let name): outputs.append(name)
      case .region(let name): blocks.append(name)
      case .attribute(let attribute): attributes.append(attribute)
      }
    }
    if outputs.isEmpty { outputs = ["y"] }
  }
}

/// One operand.
package struct Port: Sendable {
  package enum Arity: Sendable { case required, optional, variadic }
  package let name: String
  /// Ranks accepted; `nil` accepts any.
  package let rank: ClosedRange<Int>?
  package let arity: Arity
}

/// One attribute, tied to a stored property of the operator.
package struct AttributeSpec<Op: Operator>: Sendable {
  package let name: String
  package let get: @Sendable (Op) -> AttributeValue?
  package let set: @Sendable (inout Op, AttributeValue) -> Bool
}

package enum SchemaClause<Op: Operator>: Sendable {
  case port(Port)
  case result(String)
  case region(String)
  case attribute(AttributeSpec<Op>)

  package static func input(_ name: String, rank: ClosedRange<Int>? = nil, optional: Bool = false) -> SchemaClause {
    .port(Port(name: name, rank: rank, arity: optional ? .optional : .required))
  }
  package static func variadic(_ name: String, rank: ClosedRange<Int>? = nil) -> SchemaClause {
    .port(Port(name: name, rank: rank, arity: .variadic))
  }
  /// Names of outputs, in order; an operator without any clause has one, `y`. Outputs past the last name repeat it.
  package static func output(_ name: String) -> SchemaClause { .result(name) }
  /// A nested block.
  package static func block(_ name: String) -> SchemaClause { .region(name) }

  package static func attribute<T: AttributeConvertible>(
    _ name: String,
    _ path: any WritableKeyPath<Op, T> & Sendable
  ) -> SchemaClause {
    .attribute(
      AttributeSpec(
        name: name,
        get: { op in
          let value = op[keyPath: path]
          if case Optional<Any>.none = value as Any { return nil }
          return value.attributeValue
        },
        set: { op, value in
          guard let new = T(value) else { return false }
          op[keyPath: path] = new
          return true
        }
      )
    )
  }
}
