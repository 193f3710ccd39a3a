import MLCCore
import MLCGraph

/// A model as a layer: `KerasContext.run` calls what is inside it.
package struct KerasModelLayer: KerasLayer {
  package static let classNames = ["Sequential", "Functional", "Model"]
  package static let masks = KerasMaskRule.uses

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    try context.run(call.layer, call.inputs)
  }
}

/// Where a tensor enters a model; called within a model that nobody gave it to, it has nothing to give.
package struct KerasInputLayer: KerasLayer {
  package static let classNames = ["InputLayer"]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    [try call.input()]
  }
}
