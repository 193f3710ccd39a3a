import MLCCore
import MLCGraph
import MLCOps

/// A function whose trainable weights are no constants any more but values that it is called with, of type float32.
package struct TrainableConstants {
  package struct Weight {
    package let name: String
    /// What the function is called with.
    package let value: ValueID
    package let initial: Tensor
  }

  private(set) var function: Function
  package private(set) var weights: [Weight] = []
  /// Those that were of another type or compressed.
  package private(set) var expanded: [String] = []

  /// Takes out the constants that have one of `names`. Throws `gradient.parameter` for names that no constant of floats
  /// has.
  package init(_ function: Function, _ names: Set<String>) throws(Diagnostic) {
    self.function = function
    var unknown = names
    for (index, operation) in function.body.operations.enumerated() {
      guard operation.op is Const || operation.isConstantExpression, function.type(operation.outputs[0]).dtype.isFloat
      else { continue }
      let name = function[operation.outputs[0]].name
      if unknown.remove(name) != nil { try take(index, name) }
    }
    self.function.body.operations.removeAll {
      $0.outputs.contains { output in weights.contains { $0.value == output } }
    }
    guard unknown.isEmpty, !names.isEmpty else {
      let message = unknown.isEmpty ? "no weight is to be trained" : "no weight of floats is called"
      let listed = unknown.sorted().map { "'\($0)'" }.joined(separator: ", ")
      throw Diagnostic("gradient.parameter", "\(message) \(listed)", kind: .usage)
    }
  }

  private mutating func take(_ index: Int, _ name: String) throws(Diagnostic) {
    let operation = function.body.operations[index]
    let own = operation.outputs[0]
    let initial = try contents(own)
    if operation.op is Const, initial.dtype == .float32 {
      function[own].fact = Fact(initial.type)
      weights.append(Weight(name: name, value: own, initial: initial))
      return
    }
    let wide = initial.converted(to: .float32)
    var taken = Set(function.values.map { $0.name })
    function[own].name = taken.addName("\(name)_\(initial.dtype.rawValue)")
    let value = function.addValue(name, Fact(wide.type))
    let cast: any Operator = initial.dtype == .float32 ? Identity() : Cast(initial.dtype)
    function.body.operations[index] = Operation(cast, [[value]], outputs: [own], origin: operation.origin)
    function[own].fact = Fact(initial.type)
    weights.append(Weight(name: name, value: value, initial: wide))
    expanded.append(name)
  }

  /// The elements of a constant, expanded if it is compressed.
  private func contents(_ value: ValueID) throws(Diagnostic) -> Tensor {
    if let tensor = function.fact(value).value { return tensor }
    var part = Function()
    part.values = function.values
    part.body.operations = function.body.operations(for: [value])
    part.body.outputs = [value]
    part.outputNames = [function[value].name]
    return try Interpreter(part).run([])[0]
  }
}
