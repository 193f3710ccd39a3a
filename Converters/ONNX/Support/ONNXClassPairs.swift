import MLCCore
import MLCGraph
import MLCOps

/// The machines of a classifier that decide between two classes each: 0 and 1, 0 and 2, …, 1 and 2, …
struct ONNXClassPairs {
  let classes: Int
  private let counts: [Int]
  private let machine: ONNXSupportVectors
  /// Of the logistics that make probabilities of scores; empty without them.
  private let slopes: [Float], offsets: [Float]

  var count: Int { classes * (classes - 1) / 2 }

  /// `counts` are those of the classes' vectors. Throws `onnx.svm`.
  init(_ node: ONNXNode, _ classes: Int, _ counts: [Int], _ machine: ONNXSupportVectors) throws(Diagnostic) {
    (self.classes, self.counts, self.machine) = (classes, counts, machine)
    (slopes, offsets) = (try node.floats("prob_a") ?? [], try node.floats("prob_b") ?? [])
    guard counts.count == classes, classes < 1 << 16,
      machine.rho.count == classes * (classes - 1) / 2,
      machine.coefficients.count == (classes - 1) * machine.count, slopes.count == offsets.count,
      [0, machine.rho.count].contains(slopes.count)
    else {
      let given = "\(machine.coefficients.count) coefficients, \(machine.rho.count) rho and \(slopes.count) of prob_a"
      throw Diagnostic("onnx.svm", "\(given) for \(classes) classes with \(machine.count) support vectors")
    }
  }

  /// Where the pair of two classes stands.
  func place(_ first: Int, _ second: Int) -> Int {
    let (low, high) = (min(first, second), max(first, second))
    return low * (2 * classes - low - 1) / 2 + high - low - 1
  }

  /// `[N, pairs]`: the first class' kernels by its coefficients for the second, and the other way round, plus rho. Row
  /// k of the coefficients, a column for each vector, is for the class k, or k + 1 from the vector's own class on.
  func scores(of kernels: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    var (parts, start): ([ValueID], Int) = ([], 0)
    for count in counts {
      let columns = start..<start + count
      let weights = (0..<classes - 1).flatMap { machine.coefficients[columns.shifted(by: $0 * machine.count)] }
      let part = try context.slice(kernels, axis: 1, from: start, to: start + count)
      let weight = context.constant(Tensor([classes - 1, count], floats: weights), "coefficients")
      parts.append(try context.emit(Linear(), part, weight))
      start += count
    }
    let sums = try context.concat(parts, axis: 1)
    let pairs = (0..<classes - 1).flatMap { first in (first + 1..<classes).map { (first, $0) } }
    let places = [pairs.map { $0 * (classes - 1) + $1 - 1 }, pairs.map { $1 * (classes - 1) + $0 }]
    let first = try context.emit(Gather(axis: 1), sums, context.constant(ints: places[0], "first"))
    let second = try context.emit(Gather(axis: 1), sums, context.constant(ints: places[1], "second"))
    let both = try context.emit(Add(), first, second)
    return try context.emit(Add(), both, context.constant(Tensor([count], floats: machine.rho), "rho"))
  }

  /// `int64[N]`: the class that most pairs vote for, the first of a pair where its score is above 0.
  func winner(_ scores: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let isFirst = try context.emit(Greater(), scores, try context.number(0, like: scores))
    let others = (0..<classes).map { own in (0..<classes).filter { $0 != own } }
    let places = others.indices.flatMap { own in others[own].map { place(own, $0) } }
    let isOwnSecond = others.indices.flatMap { own in others[own].map { $0 < own ? 1 : 0 } }
    let shape = [classes, classes - 1]
    let given = try context.emit(Gather(axis: 1), isFirst, context.constant(Tensor(.int64, shape, places), "pairs"))
    let isVote = try context.emit(LogicalXor(), given, context.constant(Tensor(.bool, shape, isOwnSecond), "turned"))
    let votes = try context.emit(ReduceSum(axes: [2]), try context.cast(isVote, to: .int32))
    return try context.emit(ReduceArgmax(axis: 1, outputDType: .int64), votes)
  }

  /// `[N, classes]`; `nil` without logistics. The first class of a pair wins with the probability
  /// `1 / (1 + exp(a s + b))`, no nearer to 0 or 1 than 1e-7 (Platt 1999); all of them are coupled.
  func probabilities(_ scores: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID? {
    if slopes.isEmpty { return nil }
    let slope = context.constant(Tensor([count], floats: slopes), "prob_a")
    let offset = context.constant(Tensor([count], floats: offsets), "prob_b")
    let exponent = try context.emit(Add(), try context.emit(Mul(), scores, slope), offset)
    let one = try context.number(1, like: exponent)
    let chance = try context.emit(Sub(), one, try context.emit(Sigmoid(), exponent))
    let least = try context.emit(Maximum(), chance, try context.number(1e-7, like: chance))
    let first = try context.emit(Minimum(), least, try context.number(Double(1 - Float(1e-7)), like: chance))
    let second = try context.emit(Sub(), one, first)
    return try ONNXPairwiseCoupling(self).probabilities(first, second, in: &context)
  }
}

extension Range<Int> {
  fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
