import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `Scaler`: `scale · (x + shift)`, numbers for each element or one for all.
enum Scaler {
  static func convert(_ model: CoreML_Specification_Scaler, _ context: inout PartContext) throws(Diagnostic) {
    let x = try context.onlyTensor()
    let row = try context.numbers(x, context.part.description.input[0].name)
    let count = context.fact(row).shape[0].constant ?? 0
    var result = row
    for (numbers, op) in [(model.shiftValue, Add() as any Operator), (model.scaleValue, Mul())] where !numbers.isEmpty {
      guard [1, count].contains(numbers.count) else {
        throw context.damaged("coreml.features", "\(numbers.count) numbers of a scaler for \(count) features")
      }
      result = try context.apply(op, result, context.row(numbers, like: result, "numbers"))
    }
    try context.give(result)
  }
}

/// Core ML `Normalizer`: all elements by the greatest size of one, or by their norm of order 1 or 2; as they are where
/// that is 0.
enum Normalizer {
  static func convert(_ model: CoreML_Specification_Normalizer, _ context: inout PartContext) throws(Diagnostic) {
    let row = try context.numbers(try context.onlyTensor(), context.part.description.input[0].name)
    let size: ValueID
    switch model.normType {
    case .lmax: size = try context.apply(ReduceMax(axes: [0], keepDims: true), try context.apply(Abs(), row))
    case .l1: size = try context.apply(ReduceL1Norm(axes: [0], keepDims: true), row)
    case .l2: size = try context.apply(ReduceL2Norm(axes: [0], keepDims: true), row)
    case .UNRECOGNIZED(let code):
      throw context.damaged("coreml.parameter", "no norm has the number \(code)")
    }
    let isZero = try context.apply(Equal(), size, context.scalar(0, like: size))
    let divisor = try context.apply(Select(), isZero, context.scalar(1, like: size), size)
    try context.give(try context.apply(RealDiv(), row, divisor))
  }
}

/// Core ML `ArrayFeatureExtractor`: the elements at places of an array, in row-major order.
enum ArrayFeatureExtractor {
  static func convert(_ model: CoreML_Specification_ArrayFeatureExtractor, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let x = try context.onlyTensor()
    guard let count = context.fact(x).type.staticShape?.checkedProduct,
      let last = model.extractIndex.max(), last < UInt64(count)
    else {
      let places = "\(model.extractIndex.count) places up to \(model.extractIndex.max() ?? 0)"
      throw context.damaged("coreml.features", "\(places) of \(context.fact(x).type)")
    }
    let flat = try context.reshape(x, [Dim(count)])
    try context.give(try context.apply(Gather(axis: 0), flat, context.list(model.extractIndex.map { Int($0) })))
  }
}

/// Core ML `FeatureVectorizer`: numbers, arrays and dictionaries beside each other. The keys of a dictionary are
/// places.
enum FeatureVectorizer {
  static func convert(_ model: CoreML_Specification_FeatureVectorizer, _ context: inout PartContext)
    throws(Diagnostic)
  {
    var parts: [ValueID] = []
    for column in model.inputList { parts.append(try vector(column, in: &context)) }
    guard !parts.isEmpty else { throw context.damaged("coreml.features", "the model joins no features") }
    try context.give(try context.concat(parts, axis: 0))
  }

  private static func vector(
    _ column: CoreML_Specification_FeatureVectorizer.InputColumn,
    in context: inout PartContext
  ) throws(Diagnostic) -> ValueID {
    let (name, count) = (column.inputColumn, Int(clamping: column.inputDimensions))
    guard 1...(1 << 20) ~= count else {
      throw context.damaged("coreml.features", "the feature '\(name)' has \(column.inputDimensions) numbers")
    }
    if case .tensor(let value) = try context.feature(name) {
      let row = try context.numbers(value, name)
      guard context.fact(row).shape[0] == Dim(count) else {
        throw context.damaged("coreml.features", "'\(name)' is \(context.fact(value).type), not \(count) numbers")
      }
      return row
    }
    let places = Tensor(.int64, [count], Array(0..<count))
    return try context.values(try context.dictionary(name), at: places, name)
  }
}

/// Core ML `DictVectorizer`: the values of a dictionary at the keys of a vocabulary, 0 where it has none.
enum DictVectorizer {
  static func convert(_ model: CoreML_Specification_DictVectorizer, _ context: inout PartContext) throws(Diagnostic) {
    let keys: ClassLabels =
      switch model.map {
      case .stringToIndex(let texts)?: .strings(texts.vector)
      case .int64ToIndex(let numbers)?: .integers(numbers.vector)
      case nil: .integers([])
      }
    guard keys.count > 0 else { throw context.damaged("coreml.parameter", "the vocabulary has no keys") }
    _ = try context.onlyInput()
    let name = context.part.description.input[0].name
    try context.give(try context.values(try context.dictionary(name), at: keys.tensor, name))
  }
}
