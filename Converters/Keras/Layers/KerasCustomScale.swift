import MLCCore
import MLCGraph
import MLCOps

/// `CustomScaleLayer` of InceptionResNetV2 in keras.applications: `a + scale · b`.
package struct KerasCustomScale: KerasLayer {
  /// Keras 2 registers the class like an author's, and HDF5 has it under that name.
  package static let classNames = ["CustomScaleLayer", "Custom>CustomScaleLayer"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    guard call.inputs.count == 2 else {
      throw Diagnostic("keras.inputs", "\(call.inputs.count) tensors are given; the layer takes two")
    }
    let (values, isChannelsFirst) = try context.alike(call.inputs)
    let scale = context.scalar(try call.config.number("scale"), like: values[1])
    let sum = try context.emit(Add(), values[0], try context.emit(Mul(), values[1], scale))
    return [KerasTensor(sum, isChannelsFirst: isChannelsFirst)]
  }
}
