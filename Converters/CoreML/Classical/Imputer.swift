import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `Imputer`: what equals the value that stands for a missing one becomes the imputed one, in arrays that of
/// its place, in dictionaries that of its key. Numbers that are missing are NaN unless the model says otherwise.
struct Imputer {
  private let model: CoreML_Specification_Imputer

  static func convert(_ model: CoreML_Specification_Imputer, _ context: inout PartContext) throws(Diagnostic) {
    try Imputer(model: model).convert(&context)
  }

  private func convert(_ context: inout PartContext) throws(Diagnostic) {
    let imputed: Tensor
    switch model.imputedValue {
    case .imputedDoubleValue(let number)?: imputed = Tensor(.float64, [1], [number])
    case .imputedInt64Value(let number)?: imputed = ClassLabels.integers([number]).tensor
    case .imputedStringValue(let text)?: imputed = ClassLabels.strings([text]).tensor
    case .imputedDoubleArray(let array)?: imputed = Tensor(.float64, [array.vector.count], array.vector)
    case .imputedInt64Array(let array)?: imputed = ClassLabels.integers(array.vector).tensor
    case .imputedStringDictionary(let map)?:
      let sorted = map.map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return try dictionary(.strings(sorted.map(\.key)), sorted.map(\.value), &context)
    case .imputedInt64Dictionary(let map)?:
      let sorted = map.map.sorted { $0.key < $1.key }
      return try dictionary(.integers(sorted.map(\.key)), sorted.map(\.value), &context)
    case nil: throw context.damaged("coreml.parameter", "the model imputes nothing")
    }
    try array(imputed, &context)
  }

  private func array(_ imputed: Tensor, _ context: inout PartContext) throws(Diagnostic) {
    let x = try context.onlyTensor()
    let type = context.fact(x).type
    guard let count = type.staticShape?.checkedProduct, [1, count].contains(imputed.count), imputed.count > 0,
      (imputed.dtype == .string) == (type.dtype == .string), type.dtype.isFloat || imputed.dtype != .float64
    else {
      throw context.damaged("coreml.features", "\(imputed.type) cannot be imputed to \(type)")
    }
    let row = try context.reshape(x, [Dim(count)])
    guard let isMissing = try missing(row, in: &context) else { return try context.give(x) }
    let values = type.dtype == .string ? imputed : Tensor(type.dtype, [imputed.count], imputed.doubles)
    try context.give(try context.apply(Select(), isMissing, context.constant(values, "imputed"), row))
  }

  private func dictionary(_ keys: ClassLabels, _ values: [Double], _ context: inout PartContext) throws(Diagnostic) {
    _ = try context.onlyInput()
    let name = context.part.description.input[0].name
    let given = try context.dictionary(name)
    guard keys.count > 0, context.fact(given.keys).dtype == keys.dtype, context.part.description.output.count == 1
    else {
      throw context.damaged("coreml.parameter", "\(keys.count) keys of \(keys.dtype.rawValue) for '\(name)'")
    }
    var result = given.values
    if let isMissing = try missing(result, in: &context) {
      let table = KeyTable(keys.tensor, Tensor(.float64, [keys.count], values), else: .scalar(.float64, 0.0))
      let changes = try context.apply(LogicalAnd(), isMissing, try table.has(given.keys, in: &context))
      result = try context.apply(Select(), changes, try table.values(of: given.keys, in: &context), result)
    }
    context.features[context.part.description.output[0].name] = .dictionary(keys: given.keys, values: result)
  }

  /// Which elements are missing; `nil` where none can be.
  private func missing(_ x: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID? {
    let dtype = context.fact(x).dtype
    let sign: Double?
    switch model.replaceValue {
    case .replaceDoubleValue(let number)? where dtype != .string: sign = number
    case .replaceInt64Value(let number)? where dtype != .string: sign = Double(number)
    case .replaceStringValue(let text)? where dtype == .string:
      return try context.apply(Equal(), x, context.constant(Tensor([1], strings: [text]), "missing"))
    case nil: sign = dtype.isFloat ? .nan : nil
    default: throw context.damaged("coreml.parameter", "what stands for missing values is not of their type")
    }
    guard let sign else { return nil }
    if dtype.isFloat, sign.isNaN { return try context.apply(IsNan(), x) }
    guard dtype.isFloat || Int64(exactly: sign) != nil else { return nil }
    return try context.apply(Equal(), x, context.scalar(sign, like: x))
  }
}
