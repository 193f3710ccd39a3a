import MLCCore
import MLCGraph
import MLCOps

extension Function {
  /// Gives every output a value of its own that an operation computes: an output that is an input, a constant or another output
  /// becomes an `identity` of it.
  package mutating func separateOutputs() throws(Diagnostic) {
    var computed: Set<ValueID> = []
    for operation in body.operations where !(operation.op is Const) { computed.formUnion(operation.outputs) }
    for (place, value) in body.outputs.enumerated() where computed.remove(value) == nil {
      let taken = Set(values.map { $0.name })
      var name = place < outputNames.count ? outputNames[place] : "output"
      while taken.contains(name) { name += "_" }
      var origin = Location()
      if let source = body.operations.first(where: { $0.outputs.contains(value) }) { origin = source.origin }
      let copy = addValue(name, fact(value))
      body.operations.append(Operation(Identity(), [[value]], outputs: [copy], origin: origin))
      body.outputs[place] = copy
    }
  }
}
