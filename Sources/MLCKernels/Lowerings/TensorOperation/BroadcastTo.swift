import MLCCore
import MLCGraph
import MLCOps

extension BroadcastTo: Lowerable {
  package func lower(in context: inout LoweringContext) throws(Diagnostic) {
    let x = context.input("x")
    let (own, shape) = (context.program[x].shape, context.outputFact().shape)
    if own == shape { return context.setOutput(to: x) }
    let count = context.fact("shape").shape[0].constant ?? 0
    for number in 0..<count {
      let axis = shape.count - count + number
      let place = axis - (shape.count - own.count)
      let extent = place < 0 ? 1 : own[place]
      try context.bindExtent(shape[axis], to: "shape", number, over: extent)
      guard shape[axis].constant != nil, context.fact("shape").numbers?[number].whole == nil else { continue }
      // The result's extent is that of `x`, which the target must fit.
      let wanted = Dim.symbol("\(context.origin.node ?? Self.name).\(context.program.lateSymbols.count).d\(number)")
      try context.bindExtent(wanted, to: "shape", number, over: extent)
      context.requireEqual(wanted, shape[axis])
    }
    context.requireBroadcast(own, to: shape)
    let output = context.output()
    let reader = context.program
    try context.map("broadcast", to: output) { (params, axes) throws(Diagnostic) in
      reader.element(x, &params, axes, in: shape)
    }
  }
}
