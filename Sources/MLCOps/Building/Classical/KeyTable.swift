import MLCCore
import MLCGraph

/// Values by keys, and one for all else: what encoders of labels and categories look up.
///
/// NaN is a key like others, which every NaN equals. Of a key that comes again the last value counts. Texts are
/// compared for equality alone.
package struct KeyTable: Sendable {
  /// As many of each, `[n]`; no key comes twice, and none is NaN.
  private let keys: Tensor, values: Tensor
  /// One value.
  private let other: Tensor
  /// The value of NaN.
  private let ofNaN: Tensor?

  /// Up to this many keys an element is compared with each, and texts are with any number.
  private static let comparedLimit = 32

  /// As many values as keys, fewer than 2²⁴, and one of their type for all else.
  package init(_ keys: Tensor, _ values: Tensor, else other: Tensor) {
    precondition(keys.rank == 1 && values.shape == keys.shape && keys.count < 1 << 24)
    precondition(other.count == 1 && other.dtype == values.dtype)
    let nan = keys.dtype.isFloat ? keys.doubles.lastIndex { $0.isNaN } : nil
    let places = Self.places(keys)
    (self.keys, self.values) = (keys.picking(places, [places.count]), values.picking(places, [places.count]))
    self.other = other.reshaped([])
    ofNaN = nan.map { values.picking([$0], []) }
  }

  /// Where the last of equal keys are, in rising order of numbers, in that of the first ones of texts; not those of
  /// NaN.
  private static func places(_ keys: Tensor) -> [Int] {
    if keys.dtype == .string {
      var places: [UTF8Text: Int] = [:]
      for (place, key) in keys.strings.enumerated() { places[UTF8Text(key)] = place }
      return places.values.sorted()
    }
    func last<Key: Hashable & Comparable>(_ keys: [Key]) -> [Int] {
      var places: [Key: Int] = [:]
      for (place, key) in keys.enumerated() where key == key { places[key] = place }
      return places.sorted { $0.key < $1.key }.map(\.value)
    }
    return keys.dtype.isFloat ? last(keys.doubles) : last(keys.integers)
  }

  package var keyType: DType { keys.dtype }

  /// The values of `x`, of the keys' type, in its shape.
  package func values(of x: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    precondition(context.fact(x).dtype == keys.dtype)
    let found = try known(x, in: &context)
    guard let ofNaN else { return found }
    return try context.apply(Select(), try context.apply(IsNan(), x), context.constant(ofNaN, "nan"), found)
  }

  private func known(_ x: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    if keys.count == 0 {
      let shape = try context.apply(Shape(dtype: .int64), x)
      return try context.apply(Fill(), shape, context.constant(other, "default"))
    }
    return keys.dtype == .string || keys.count <= Self.comparedLimit
      ? try compared(x, in: &context) : try searched(x, in: &context)
  }

  /// `bool`, in the shape of `x`: whether a key is the same.
  package func has(_ x: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    let rank = context.fact(x).rank
    let same = try context.apply(Equal(), try context.apply(ExpandDims([rank]), x), context.constant(keys, "keys"))
    let count = try context.apply(ReduceSum(axes: [rank]), try context.apply(Cast(.int32), same))
    return try context.apply(Greater(), count, context.constant(.scalar(.int32, 0), "zero"))
  }

  /// Compares each element with every key: 0 and the number of its key make the place of its value behind the default.
  private func compared(_ x: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    let rank = context.fact(x).rank
    let same = try context.apply(Equal(), try context.apply(ExpandDims([rank]), x), context.constant(keys, "keys"))
    let numbers = context.constant(Tensor(.int32, [keys.count], Array(1...keys.count)), "numbers")
    let zero = context.constant(.scalar(.int32, 0), "zero")
    let place = try context.apply(ReduceSum(axes: [rank]), try context.apply(Select(), same, numbers, zero))
    let all = Tensor.flat([other.reshaped([1]), values])
    return try context.apply(Gather(axis: 0), context.constant(all, "values"), place)
  }

  /// Looks for the last key that is not above each element, halving the distance.
  private func searched(_ x: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    var step = 1
    while step * 2 < keys.count { step *= 2 }
    // The last key fills up what halving may reach.
    let padded = (0..<2 * step).map { min($0, keys.count - 1) }
    let sorted = context.constant(keys.picking(padded, [padded.count]), "keys")
    let values = context.constant(values.picking(padded, [padded.count]), "values")
    var place = context.constant(.scalar(.int32, 0), "first")
    while step > 0 {
      let further = try context.apply(Add(), place, context.constant(.scalar(.int32, step), "step"))
      let key = try context.apply(Gather(axis: 0), sorted, further)
      place = try context.apply(Select(), try context.apply(LessEqual(), key, x), further, place)
      step /= 2
    }
    let isFound = try context.apply(Equal(), try context.apply(Gather(axis: 0), sorted, place), x)
    let value = try context.apply(Gather(axis: 0), values, place)
    return try context.apply(Select(), isFound, value, context.constant(other, "default"))
  }
}
