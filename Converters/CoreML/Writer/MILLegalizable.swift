import MLCCore
import MLCGraph

/// An operator that is written as other operators, some of the time at least.
protocol MILLegalizable: Operator {
  /// Appends what this stands for and answers its outputs; `nil` leaves the operator as it is.
  func legalize(_ use: LegalizedUse, in builder: inout Builder) throws(Diagnostic) -> [ValueID]?
}

/// One use of an operator that is being legalised.
struct LegalizedUse {
  let inputs: [[ValueID]]
  /// Of the outputs, in the source.
  let names: [String]
  let origin: Location
  let target: CoreMLWriteOptions.DeploymentTarget

  subscript(port: Int) -> ValueID? { port < inputs.count ? inputs[port].first : nil }

  /// Appends an operator with one output, named after the use's own.
  func append(_ op: any Operator, _ arguments: ValueID?..., in builder: inout Builder, last: Bool = false)
    throws(Diagnostic) -> ValueID
  {
    let suffix = last ? "" : "_\(type(of: op).name)"
    let ports = arguments.map { $0.map { [$0] } ?? [] }
    return try builder.append(op, ports, names: [names[0] + suffix], origin: origin)[0]
  }

  /// A scalar of the element type of `like`.
  func scalar(_ value: Double, like: ValueID, in builder: inout Builder) -> ValueID {
    builder.constant(Tensor(builder.fact(like).dtype, [], [value]), name: "\(names[0])_c", origin: origin)
  }

  func list(_ values: [Int], _ what: String, in builder: inout Builder) -> ValueID {
    builder.constant(Tensor(.int32, [values.count], values), name: "\(names[0])_\(what)", origin: origin)
  }
}
