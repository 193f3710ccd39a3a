import MLCCore
import MLCGraph
import MLCOps

extension Function {
  /// Gives every output a value of its own that an operation computes: an output that is an input, a constant or
  /// another output becomes an `identity` of it.
  package mutating func separateOutputs() throws(Diagnostic) {
    var computed: Set<ValueID> = []
    var origins: [ValueID: Location] = [:]
    for operation in body.operations {
      if !(operation.op is Const) { computed.formUnion(operation.outputs) }
      for output in operation.outputs { origins[output] = operation.origin }
    }
    var taken = Set(values.map { $0.name })
    for (place, value) in body.outputs.enumerated() where computed.remove(value) == nil {
      var name = place < outputNames.count ? outputNames[place] : "output"
      while !taken.insert(name).inserted { name += "_" }
      let origin = origins[value] ?? Location()
      let copy = addValue(name, fact(value))
      body.operations.append(Operation(Identity(), [[value]], outputs: [copy], origin: origin))
      body.outputs[place] = copy
    }
  }
}
