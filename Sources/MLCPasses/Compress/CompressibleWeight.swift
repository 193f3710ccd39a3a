import MLCCore
import MLCGraph

/// A constant that an operator takes as its weight.
struct CompressibleWeight {
  let value: ValueID
  let tensor: Tensor
  /// The value's own name first, then the user's nodes that read it and the names of what they make.
  var names: [String]
  /// Types of the operators that read it.
  var operators: [String]
  /// The axes of output and input channels, as the first reader has them.
  let outputAxis: Int, inputAxis: Int

  var count: Int { tensor.count }
  var name: String { names[0] }

  /// Ports that hold weights, by operator.
  private static let ports: [String: [String]] = [
    "conv": ["weight"], "conv_transpose": ["weight"], "linear": ["weight"], "matmul": ["x", "y"], "gather": ["x"],
    "lstm": recurrent, "gru": recurrent, "rnn": recurrent,
  ]
  private static let recurrent = ["weight_ih", "weight_hh", "weight_ih_back", "weight_hh_back"]

  /// The weights of `function` in the order of their first readers: floating-point constants of rank 2 and more, read
  /// by an operator that has weights, and no output of the function themselves.
  static func all(in function: Function) -> [CompressibleWeight] {
    var (order, found) = ([ValueID](), [ValueID: CompressibleWeight]())
    func walk(_ block: Block) {
      for operation in block.operations {
        for port in ports[operation.name] ?? [] {
          guard let id = operation.argument(port) else { continue }
          if found[id] == nil, let weight = CompressibleWeight(id, operation, port, function) {
            found[id] = weight
            order.append(id)
          }
          found[id]?.add(operation, function)
        }
        for nested in operation.blocks { walk(nested) }
      }
    }
    walk(function.body)
    let outputs = Set(function.outputs)
    return order.filter { !outputs.contains($0) }.compactMap { found[$0] }
  }

  private init?(_ id: ValueID, _ operation: Operation, _ port: String, _ function: Function) {
    guard let tensor = function.fact(id).value, tensor.rank >= 2, tensor.dtype.isFloat else { return nil }
    (value, self.tensor, names, operators) = (id, tensor, [function[id].name], [])
    let last = tensor.rank - 1
    func flag(_ name: String) -> Bool {
      operation.op.attributes.contains { $0.name == name && $0.value == .bool(true) }
    }
    switch (operation.name, port) {
    case ("conv_transpose", _): (outputAxis, inputAxis) = (1, 0)
    case ("matmul", "x"): (outputAxis, inputAxis) = flag("transpose_x") ? (last, last - 1) : (last - 1, last)
    case ("matmul", _): (outputAxis, inputAxis) = flag("transpose_y") ? (last - 1, last) : (last, last - 1)
    default: (outputAxis, inputAxis) = (0, 1)
    }
  }

  private mutating func add(_ operation: Operation, _ function: Function) {
    if !operators.contains(operation.name) { operators.append(operation.name) }
    let spelled = [operation.origin.node] + operation.outputs.map { function[$0].name }
    for name in spelled.compactMap({ $0 }) where !names.contains(name) { names.append(name) }
  }
}
