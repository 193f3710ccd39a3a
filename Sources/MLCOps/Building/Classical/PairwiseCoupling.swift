import MLCCore
import MLCGraph

/// Probabilities of classes from those that one class wins over another: p with the least `pᵀQp` and the sum 1, where
/// `Q[t][t] = Σ r[j][t]²` over the others j, `Q[t][j] = −r[j][t] r[t][j]`.
///
/// At most 100 rounds, or as many as there are classes, from equal probabilities on, each row's until all of
/// `|Qp − pᵀQp|` are below 0.005 by the number of classes; a round changes one class after the other. Source: Wu, Lin
/// and Weng, Probability Estimates for Multi-class Classification by Pairwise Coupling (2004), algorithm 2.
package struct PairwiseCoupling {
  private let pairs: ClassPairs
  private var classes: Int { pairs.classes }

  package init(_ pairs: ClassPairs) { self.pairs = pairs }

  /// `[N, classes]` from `first: T[N, pairs]`, with which the first class of a pair wins, and `second`.
  package func probabilities(
    _ first: ValueID,
    _ second: ValueID,
    in context: inout some ClassicalBuilder
  ) throws(Diagnostic) -> ValueID {
    let matrix = try matrix(first, second, in: &context)
    let none = try context.scaled(try context.apply(ReduceSum(axes: [2]), matrix), by: 0)
    let type = context.fact(none).type
    let rows = try context.apply(Shape(dtype: .int64), none)
    let equal = context.row([Double](repeating: 1 / Double(classes), count: classes), like: none, "equal")
    let start = try context.apply(BroadcastTo(), equal, rows)
    let inputs = [("round", TensorType(.int64, [Dim]())), ("goes", TensorType(.bool, [Dim]())), ("p", type)]
    let head = context.builder.beginBlock(inputs: inputs)
    let limit = context.constant(.scalar(.int64, max(100, classes)), "rounds")
    let goesOn = try context.apply(LogicalAnd(), try context.apply(Less(), head[0], limit), head[1])
    let cond = context.builder.endBlock(yielding: [goesOn])

    let body = context.builder.beginBlock(inputs: inputs)
    let state = try State(body[2], matrix, in: &context)
    let isOpen = try isOpen(state, in: &context)
    let next = try context.apply(Select(), isOpen, try swept(state, matrix, in: &context), body[2])
    let open = try context.apply(ReduceSum(axes: [0, 1]), try context.apply(Cast(.int32), isOpen))
    let isAny = try context.apply(Greater(), open, context.scalar(0, like: open))
    let block = context.builder.endBlock(yielding: [try context.raised(body[0], by: 1), isAny, next])
    let counter = context.constant(.scalar(.int64, 0), "start")
    let holds = context.constant(.scalar(.bool, 1), "holds")
    return try context.append(WhileLoop(), all: [[counter, holds, start]], blocks: [cond, block])[2]
  }

  /// Q, `[N, classes, classes]`.
  private func matrix(_ first: ValueID, _ second: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic)
    -> ValueID
  {
    let zero = try context.scaled(try context.columns(0..<1, of: first), by: 0)
    let all = try context.concat([first, second, zero], axis: 1)
    func place(_ winner: Int, _ loser: Int) -> Int {
      winner == loser ? 2 * pairs.count : pairs.place(winner, loser) + (winner < loser ? 0 : pairs.count)
    }
    let (range, shape) = (0..<classes, [classes, classes])
    let own = Tensor(.int64, shape, range.flatMap { t in range.map { place(t, $0) } })
    let others = Tensor(.int64, shape, range.flatMap { t in range.map { place($0, t) } })
    let wins = try context.apply(Gather(axis: 1), all, context.constant(own, "wins"))
    let losses = try context.apply(Gather(axis: 1), all, context.constant(others, "losses"))
    let sum = try context.apply(ReduceSum(axes: [2], keepDims: true), try context.apply(Square(), losses))
    let product = try context.apply(Neg(), try context.apply(Mul(), losses, wins))
    let diagonal = Tensor(.bool, shape, range.flatMap { t in range.map { $0 == t ? 1 : 0 } })
    return try context.apply(Select(), context.constant(diagonal, "diagonal"), sum, product)
  }

  /// p, `Qp: [N, classes]` and `pᵀQp: [N, 1]`.
  private struct State {
    var p: ValueID, product: ValueID, form: ValueID

    init(_ p: ValueID, _ matrix: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic) {
      let terms = try context.apply(Mul(), matrix, try context.apply(ExpandDims([1]), p))
      product = try context.apply(ReduceSum(axes: [2]), terms)
      form = try context.apply(ReduceSum(axes: [1], keepDims: true), try context.apply(Mul(), p, product))
      self.p = p
    }

    init(_ values: ArraySlice<ValueID>) {
      let values = Array(values)
      (p, product, form) = (values[0], values[1], values[2])
    }

    var values: [ValueID] { [p, product, form] }
  }

  /// `bool[N, 1]`: which rows are not near enough.
  private func isOpen(_ state: State, in context: inout some ClassicalBuilder) throws(Diagnostic) -> ValueID {
    let error = try context.apply(Abs(), try context.apply(Sub(), state.product, state.form))
    let isFar = try context.apply(GreaterEqual(), error, context.scalar(0.005 / Double(classes), like: error))
    let count = try context.apply(ReduceSum(axes: [1], keepDims: true), try context.apply(Cast(.int32), isFar))
    return try context.apply(Greater(), count, context.scalar(0, like: count))
  }

  /// p after a change of each class.
  private func swept(_ start: State, _ matrix: ValueID, in context: inout some ClassicalBuilder) throws(Diagnostic)
    -> ValueID
  {
    let types = start.values.map { context.fact($0).type }
    let inputs = [("class", TensorType(.int64, [Dim]()))] + zip(["p", "product", "form"], types).map { ($0, $1) }
    let head = context.builder.beginBlock(inputs: inputs)
    let end = context.constant(.scalar(.int64, classes), "classes")
    let cond = context.builder.endBlock(yielding: [try context.apply(Less(), head[0], end)])
    let body = context.builder.beginBlock(inputs: inputs)
    let next = try changed(State(body[1...]), body[0], matrix, in: &context)
    let block = context.builder.endBlock(yielding: [try context.raised(body[0], by: 1)] + next.values)
    let zero = context.constant(.scalar(.int64, 0), "first")
    return try context.append(WhileLoop(), all: [[zero] + start.values], blocks: [cond, block])[1]
  }

  /// The state after the class t has gone to where the form is least, and all have been divided by their sum.
  private func changed(_ state: State, _ t: ValueID, _ matrix: ValueID, in context: inout some ClassicalBuilder)
    throws(Diagnostic) -> State
  {
    let (place, range) = (try context.apply(ExpandDims([0]), t), 0..<classes)
    let identity = range.flatMap { t in range.map { $0 == t ? 1.0 : 0 } }
    let units = context.constant(Tensor(context.fact(matrix).dtype, [classes, classes], identity), "units")
    let row = try context.apply(Gather(axis: 1), matrix, t)
    let weight = try context.apply(Gather(axis: 1), row, place)
    let own = try context.apply(Gather(axis: 1), state.product, place)
    let step = try context.apply(RealDiv(), try context.apply(Sub(), state.form, own), weight)
    let sum = try context.raised(step, by: 1)
    let moved = try context.apply(Mul(), step, try context.apply(Gather(axis: 0), units, t))
    let slope = try context.apply(Add(), try context.apply(Mul(), step, weight), try context.scaled(own, by: 2))
    let form = try context.apply(Add(), state.form, try context.apply(Mul(), step, slope))
    let product = try context.apply(Add(), state.product, try context.apply(Mul(), step, row))
    var next = state
    next.p = try context.apply(RealDiv(), try context.apply(Add(), state.p, moved), sum)
    next.form = try context.apply(RealDiv(), try context.apply(RealDiv(), form, sum), sum)
    next.product = try context.apply(RealDiv(), product, sum)
    return next
  }
}
