import MLCCore
import MLCGraph

extension TrainableConstants {
  /// The function with the weights as its last inputs, which are parameters.
  package func parameterized() throws(Diagnostic) -> Function {
    var writer = GraphWriter(function)
    var changed = Set(weights.map { $0.value })
    for operation in function.body.operations {
      let isChanged = operation.reads(changed)
      if isChanged { changed.formUnion(operation.outputs) }
      writer.origin = operation.origin
      try writer.keep(operation, isChanged: isChanged)
    }
    var result = writer.finished(zip(function.outputNames, function.outputs).map { (name: $0, value: $1) })
    for weight in weights {
      result.parameters.append(Parameter(weight.name, input: result.inputs.count, weight.initial))
      result.inputs.append(weight.value)
    }
    return result
  }
}
