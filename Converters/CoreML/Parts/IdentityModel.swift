import CoreMLProto
import MLCCore

/// Core ML `Identity`: the outputs are the inputs, in their order.
enum IdentityModel {
  static func convert(_ context: inout PartContext) throws(Diagnostic) {
    let description = context.part.description
    guard description.input.count == description.output.count else {
      let counts = "\(description.input.count) inputs and \(description.output.count) outputs"
      throw Diagnostic("coreml.outputs", "\(counts) of an identity", at: context.origin)
    }
    let values = try description.input.map { (feature) throws(Diagnostic) in try context.feature(feature.name) }
    for (feature, value) in zip(description.output, values) { context.features[feature.name] = value }
  }
}
