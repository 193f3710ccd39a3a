import MLCCore
import MLCGraph

/// The machines of a classifier that decide between two classes each: 0 and 1, 0 and 2, …, 1 and 2, …
package struct ClassPairs: Sendable {
  package let classes: Int
  /// The number of each class' vectors.
  private let counts: [Int]
  /// Rows of one for each vector; one for each pair.
  private let coefficients: [Double], offsets: [Double]
  private let logistics: [Logistic]

  /// What makes a probability of a score s: `1 / (1 + exp(slope s + offset))`.
  package struct Logistic: Sendable {
    package let slope: Double, offset: Double
    package init(slope: Double, offset: Double) { (self.slope, self.offset) = (slope, offset) }
  }

  package var count: Int { classes * (classes - 1) / 2 }
  private var vectors: Int { counts.reduce(0, +) }

  /// `logistics` may be empty. `nil` unless the lists are as long as `counts`, one for each class, says.
  package init?(_ counts: [Int], coefficients: [Double], offsets: [Double], logistics: [Logistic]) {
    classes = counts.count
    (self.counts, self.coefficients, self.offsets, self.logistics) = (counts, coefficients, offsets, logistics)
    guard 2..<1 << 16 ~= classes, counts.allSatisfy({ 0..<1 << 31 ~= $0 }), offsets.count == count,
      coefficients.count == (classes - 1) * vectors, [0, count].contains(logistics.count)
    else { return nil }
  }

  /// Where the pair of two classes stands.
  package func place(_ first: Int, _ second: Int) -> Int {
    let (low, high) = (min(first, second), max(first, second))
    return low * (2 * classes - low - 1) / 2 + high - low - 1
  }

  /// `[N, pairs]`: the first class' kernels by its coefficients for the second, and the other way round, plus the
  /// pair's offset. Row k of the coefficients, a column for each vector, is for the class k, or k + 1 from the vector's
  /// own class on.
  package func scores(of kernels: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    var (parts, start): ([ValueID], Int) = ([], 0)
    for count in counts {
      let columns = start..<start + count
      let weights = (0..<classes - 1).flatMap { coefficients[columns.shifted(by: $0 * vectors)] }
      let part = try context.columns(columns, of: kernels)
      let matrix = Tensor(context.fact(kernels).dtype, [classes - 1, count], weights)
      let weight = context.constant(matrix, "coefficients")
      parts.append(try context.apply(Linear(), part, weight))
      start += count
    }
    let sums = try context.concat(parts, axis: 1)
    let pairs = (0..<classes - 1).flatMap { first in (first + 1..<classes).map { (first, $0) } }
    let places = [pairs.map { $0 * (classes - 1) + $1 - 1 }, pairs.map { $1 * (classes - 1) + $0 }]
    let first = try context.apply(Gather(axis: 1), sums, context.constant(.shape(places[0]), "first"))
    let second = try context.apply(Gather(axis: 1), sums, context.constant(.shape(places[1]), "second"))
    let both = try context.apply(Add(), first, second)
    return try context.apply(Add(), both, context.row(offsets, like: both, "offsets"))
  }

  /// `int64[N]`: the class that most pairs vote for, the first among equals.
  package func winner(_ scores: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    try context.apply(ReduceArgmax(axis: 1, outputDType: .int64), try votes(scores, in: &context))
  }

  /// `int32[N, classes]`: how many pairs vote for a class, the first of a pair where its score is above 0.
  package func votes(_ scores: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    let isFirst = try context.apply(Greater(), scores, context.scalar(0, like: scores))
    let others = (0..<classes).map { own in (0..<classes).filter { $0 != own } }
    let places = others.indices.flatMap { own in others[own].map { place(own, $0) } }
    let isOwnSecond = others.indices.flatMap { own in others[own].map { $0 < own ? 1 : 0 } }
    let shape = [classes, classes - 1]
    let given = try context.apply(Gather(axis: 1), isFirst, context.constant(Tensor(.int64, shape, places), "pairs"))
    let isVote = try context.apply(LogicalXor(), given, context.constant(Tensor(.bool, shape, isOwnSecond), "turned"))
    return try context.apply(ReduceSum(axes: [2]), try context.apply(Cast(.int32), isVote))
  }

  /// `[N, classes]`; `nil` without logistics. The first class of a pair wins with the probability
  /// `1 / (1 + exp(a s + b))`, no nearer to 0 or 1 than 1e-7 (Platt 1999); all of them are coupled.
  package func probabilities(_ scores: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID?
  {
    if logistics.isEmpty { return nil }
    let slope = context.row(logistics.map(\.slope), like: scores, "slopes")
    let offset = context.row(logistics.map(\.offset), like: scores, "intercepts")
    let exponent = try context.apply(Add(), try context.apply(Mul(), scores, slope), offset)
    let one = context.scalar(1, like: exponent)
    let chance = try context.apply(Sub(), one, try context.apply(Sigmoid(), exponent))
    let least = try context.apply(Maximum(), chance, context.scalar(1e-7, like: chance))
    let first = try context.apply(Minimum(), least, context.scalar(1 - 1e-7, like: chance))
    let second = try context.apply(Sub(), one, first)
    return try PairwiseCoupling(self).probabilities(first, second, in: &context)
  }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
