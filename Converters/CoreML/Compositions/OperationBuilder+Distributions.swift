import MLCCore
import MLCGraph
import MLCOps

/// Numbers that stand for random ones (`uniform`), the same for the same key. Shapes are lists of integers.
extension OperationBuilder {
  /// Uniform from `low` up to `high`, which is not reached.
  mutating func uniform(_ shape: ValueID, from low: Double, to high: Double, _ dtype: DType, key: RandomKey)
    throws(Diagnostic) -> ValueID
  {
    let numbers = try uniform(try converted(shape, to: .int64), .float32, key: key)
    return try converted(try raised(try scaled(numbers, by: high - low), by: low), to: dtype)
  }

  mutating func normal(_ shape: ValueID, mean: Double, deviation: Double, _ dtype: DType, key: RandomKey)
    throws(Diagnostic) -> ValueID
  {
    let numbers = try normal(try converted(shape, to: .int64), .float32, key: key)
    return try converted(try raised(try scaled(numbers, by: deviation), by: mean), to: dtype)
  }

  /// 1 with the probability given, else 0.
  mutating func bernoulli(_ shape: ValueID, probability: Double, _ dtype: DType, key: RandomKey) throws(Diagnostic)
    -> ValueID
  {
    let numbers = try uniform(try converted(shape, to: .int64), .float32, key: key)
    return try apply(Cast(dtype), try apply(Less(), numbers, scalar(probability, like: numbers)))
  }

  /// `count` classes for each row of `logits: T[*D, K]`, drawn with replacement: `int32[*D, count]`. A class is the
  /// number of classes whose sums of probabilities, from the first on, a uniform number does not lie below.
  mutating func categorical(_ logits: ValueID, count: Int, key: RandomKey) throws(Diagnostic) -> ValueID {
    let rank = fact(logits).rank
    guard rank >= 1, fact(logits).dtype.isFloat, (0...1 << 30).contains(count) else {
      throw Diagnostic("coreml.parameter", "\(count) classes from \(fact(logits).type)")
    }
    let shares = try apply(Softmax(axis: -1), try converted(logits, to: .float32))
    var running = Cumsum()
    running.axis = rank - 1
    // Without the last sum, which rounding may leave below 1.
    let sums = try slice(try apply(running, shares), axis: rank - 1, from: 0, to: -1)
    let lead = try apply(Shape(start: 0, end: rank - 1, dtype: .int64), logits)
    let shape = try append(Concat(axis: 0), [[lead, constant(.shape([count]), "samples")]])
    let numbers = try apply(ExpandDims([rank]), try uniform(shape, .float32, key: key))
    let isPast = try apply(GreaterEqual(), numbers, try apply(ExpandDims([rank - 1]), sums))
    return try apply(ReduceSum(axes: [rank], keepDims: false), try apply(Cast(.int32), isPast))
  }
}

extension RandomKey {
  /// The key of a seed; where there is none, below 0, of the name of what is drawn.
  init(seed: Int, name: String) { self = seed < 0 ? RandomKey(name: name) : RandomKey(seed: seed) }
}
