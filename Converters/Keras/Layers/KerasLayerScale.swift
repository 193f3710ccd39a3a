import MLCCore
import MLCGraph
import MLCOps

/// `LayerScale` of ConvNeXt in keras.applications: each channel times a number that was trained.
package struct KerasLayerScale: KerasLayer {
  package static let classNames = ["LayerScale"]

  package static func weights(_ config: KerasConfig) throws(Diagnostic) -> [KerasWeight] { [KerasWeight("gamma")] }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    var result = try call.input()
    var gamma = try context.weight(0, context.fact(result.value).dtype, rank: 1)
    guard let channels = context.shape(result).last, channels == context.fact(gamma).shape[0] else {
      throw Diagnostic(
        "keras.weights",
        "'gamma' is \(context.fact(gamma).type), the input \(context.fact(result.value).type)"
      )
    }
    if result.isChannelsFirst { gamma = try context.emit(ExpandDims(Array(1..<context.rank(result) - 1)), gamma) }
    result.value = try context.emit(Mul(), result.value, gamma)
    result.mask = nil
    return [result]
  }
}
