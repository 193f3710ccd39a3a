import MLCCore
import MLCGraph

/// One operation as MIL spells it: operands by name, parameters by name.
struct MILCall {
  var type: String
  var operands: [(name: String, values: [ValueID])]
  var parameters: [(name: String, value: AttributeValue)]
  /// How many of the operation's outputs MIL's operator has.
  var outputs: Int
  /// Why MIL cannot express this use at all.
  private(set) var obstacle: String?
  /// Why Apple's loader refuses it, though MIL has the operator.
  private(set) var refusal: (reason: String, advice: String)?

  init(_ operation: Operation) {
    type = operation.name
    operands = zip(Swift.type(of: operation.op).portNames, operation.inputs).compactMap { $1.isEmpty ? nil : ($0, $1) }
    parameters = operation.op.attributes.filter { !$0.value.isEmptyList }
    outputs = operation.outputs.count
  }

  subscript(name: String) -> AttributeValue? {
    get { parameters.first { $0.name == name }?.value }
    set {
      parameters.removeAll { $0.name == name }
      if let newValue { parameters.append((name, newValue)) }
    }
  }

  func operand(_ name: String) -> ValueID? { operands.first { $0.name == name }?.values.first }

  mutating func removeOperand(_ name: String) { operands.removeAll { $0.name == name } }
  mutating func renameOperand(_ name: String, to new: String) {
    operands = operands.map { $0.name == name ? (new, $0.values) : $0 }
  }

  /// Sets a parameter that has no value yet.
  mutating func fill(_ name: String, _ value: AttributeValue) {
    if self[name] == nil { self[name] = value }
  }

  /// Removes a parameter that MIL lacks; unless it says what MIL means anyway, the use is beyond MIL.
  mutating func drop(_ name: String, unless neutral: Bool) {
    self[name] = nil
    if !neutral { block("Core ML's \(type) has no parameter '\(name)'") }
  }

  mutating func block(_ reason: String) { obstacle = obstacle ?? reason }
  mutating func refuse(_ reason: String, advice: String) { refusal = refusal ?? (reason, advice) }
}

extension AttributeValue {
  fileprivate var isEmptyList: Bool {
    switch self {
    case .ints(let x): x.isEmpty
    case .floats(let x): x.isEmpty
    case .bools(let x): x.isEmpty
    case .strings(let x): x.isEmpty
    default: false
    }
  }
}

/// An operator whose spelling in MIL differs from its schema.
protocol MILSpelled: Operator {
  func spell(_ call: inout MILCall, _ context: SpellingContext)
}

/// What is known where an operation is spelled.
struct SpellingContext {
  let function: Function
  let operation: Operation
  let target: CoreMLWriteOptions.DeploymentTarget

  func fact(_ port: String) -> Fact? { operation.argument(port).map(function.fact) }
  func result(_ index: Int = 0) -> Fact { function.fact(operation.outputs[index]) }
}
