import MLCCore
import MLCGraph

/// Layers that do something in training only.
package struct KerasIdentity: KerasLayer {
  package static let classNames = [
    "Dropout", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D", "GaussianDropout", "GaussianNoise",
    "AlphaDropout", "ActivityRegularization",
  ]
  package static let masks = KerasMaskRule.passes

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    [try call.input()]
  }
}
