import MLCCore
import MLCGraph

/// The one-operation function of a case, and the tensors to run it on.
struct CaseFunction {
  var function = Function()
  var arguments: [Tensor] = []
  /// The sizes that stand behind the symbols of `symbolic` shapes.
  var sizes: [String: Int] = [:]

  /// With `symbolic`, every extent of a run-time input is a symbol of its own; else it is the number.
  init(_ item: OperatorCase, symbolic: Bool) throws(Diagnostic) {
    var builder = Builder()
    var inputs: [[ValueID]] = []
    let ports = type(of: item.op).ports
    for (port, tensors) in zip(ports, item.inputs) {
      var values: [ValueID] = []
      for tensor in tensors {
        if item.constants.contains(port.name) {
          values.append(builder.constant(tensor, name: port.name))
          continue
        }
        var shape = tensor.shape.map { Dim($0) }
        if symbolic {
          shape = tensor.shape.enumerated().map { axis, extent in
            let symbol = "\(port.name)\(arguments.count)_\(axis)"
            sizes[symbol] = extent
            return .symbol(symbol)
          }
        }
        values.append(builder.input(port.name, TensorType(tensor.dtype, shape)))
        arguments.append(tensor)
      }
      inputs.append(values)
    }
    let outputs = try builder.append(item.op, inputs, names: ["out"])
    function = builder.finish(outputs.enumerated().map { ("out\($0.offset)", $0.element) })
  }
}
