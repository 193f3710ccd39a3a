import Foundation
import MLCCore
import MLCGraph
import Testing

/// Published models and architecture graphs as they are imported.
@Suite struct RealModelTests {
  /// Sizes inside a model follow from the sizes of its inputs, except those that depend on data.
  @Test func shapesFollowFromInputs() throws {
    try RealModel.requireAll()
    var problems: [String] = []
    for model in RealModel.all {
      let function = try model.function()
      let known = function.inputs.reduce(into: Set<String>()) { names, id in
        for extent in function.type(id).shape { names.formUnion(extent.symbols) }
      }
      for value in function.values {
        let own = Set(value.fact.shape.flatMap { $0.symbols }).subtracting(known)
        if !own.isEmpty, !model.dataDependentSizes {
          problems.append("\(model.name): \(value.name) \(value.fact.type)")
        }
      }
    }
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }
}
