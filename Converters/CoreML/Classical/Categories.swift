import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `OneHotEncoder`: 1 at the place of the category, 0 at the others: an array, or a dictionary of all places.
/// What is of no category gives zeros, or ends the run.
enum OneHotEncoder {
  static func convert(_ model: CoreML_Specification_OneHotEncoder, _ context: inout PartContext) throws(Diagnostic) {
    let categories: ClassLabels =
      switch model.categoryType {
      case .stringCategories(let texts)?: .strings(texts.vector)
      case .int64Categories(let numbers)?: .integers(numbers.vector)
      case nil: .integers([])
      }
    let given = try context.onlyTensor()
    let isText = context.fact(given).dtype == .string
    guard categories.count > 0, isText == (categories.dtype == .string),
      context.fact(given).type.staticShape?.checkedProduct == 1
    else {
      let message = "\(categories.count) categories of \(categories.dtype.rawValue)"
      throw context.damaged("coreml.parameter", "\(message) for \(context.fact(given).type)")
    }
    let x = try context.reshape(isText ? given : try context.converted(given, to: .int64), [1])
    let isOf = try context.apply(Equal(), x, context.constant(categories.tensor, "categories"))
    var hot = try context.converted(isOf, to: .float64)
    if model.handleUnknown != .ignoreUnknown {
      let found = try context.apply(ReduceMax(axes: [0]), hot)
      hot = try context.apply(Ensure(), hot, try context.apply(Greater(), found, context.scalar(0, like: found)))
    }
    try context.give(hot)
  }
}

/// Core ML `CategoricalMapping`: the integer of a text, or the text of an integer. What has none gives the value for
/// that, or ends the run.
enum CategoricalMapping {
  static func convert(_ model: CoreML_Specification_CategoricalMapping, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let (keys, values): (ClassLabels, ClassLabels)
    switch model.mappingType {
    case .stringToInt64Map(let map)?:
      let sorted = map.map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      (keys, values) = (.strings(sorted.map(\.key)), .integers(sorted.map(\.value)))
    case .int64ToStringMap(let map)?:
      let sorted = map.map.sorted { $0.key < $1.key }
      (keys, values) = (.integers(sorted.map(\.key)), .strings(sorted.map(\.value)))
    case nil: throw context.damaged("coreml.parameter", "the model maps nothing")
    }
    let given = try context.onlyTensor()
    guard (context.fact(given).dtype == .string) == (keys.dtype == .string) else {
      throw context.wrongType(context.part.description.input[0].name, "\(context.fact(given).type), not a key")
    }
    let x = keys.dtype == .string ? given : try context.converted(given, to: .int64)
    let other: ClassLabels? =
      switch model.valueOnUnknown {
      case .strValue(let text)?: .strings([text])
      case .int64Value(let number)?: .integers([number])
      case nil: nil
      }
    if let other, other.dtype != values.dtype {
      throw context.damaged("coreml.parameter", "the value for other keys is not of the values' type")
    }
    let blank: ClassLabels = values.dtype == .string ? .strings([""]) : .integers([0])
    let table = KeyTable(keys.tensor, values.tensor, else: (other ?? blank).tensor)
    var result = try table.values(of: x, in: &context)
    if other == nil {
      let isKnown = try context.reshape(try table.has(x, in: &context), [])
      result = try context.apply(Ensure(), result, isKnown)
    }
    try context.give(result)
  }
}
