import MLCCore
import MLCGraph
import MLCOps

/// Probabilities of classes from those that one class wins over another: p with the least `pᵀQp` and the sum 1, where
/// `Q[t][t] = Σ r[j][t]²` over the others j, `Q[t][j] = −r[j][t] r[t][j]`.
///
/// At most 100 rounds from equal probabilities on, each row's until all of `|Qp − pᵀQp|` are below 0.005 by the
/// number of classes; a round changes one class after the other. Source: Wu, Lin and Weng, Probability Estimates for
/// Multi-class Classification by Pairwise Coupling (2004), algorithm 2.
struct ONNXPairwiseCoupling {
  private let pairs: ONNXClassPairs
  private var classes: Int { pairs.classes }

  init(_ pairs: ONNXClassPairs) { self.pairs = pairs }

  /// `[N, classes]` from `first: T[N, pairs]`, with which the first class of a pair wins, and `second`.
  func probabilities(_ first: ValueID, _ second: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let matrix = try matrix(first, second, in: &context)
    let none = try context.scaled(try context.emit(ReduceSum(axes: [2]), matrix), by: 0)
    let type = context.fact(none).type
    let equal = Tensor([classes], floats: [Float](repeating: 1 / Float(classes), count: classes))
    let rows = try context.emit(Shape(dtype: .int64), none)
    let start = try context.emit(BroadcastTo(), context.constant(equal, "equal"), rows)
    let inputs = [("round", TensorType(.int64, [Dim]())), ("goes", TensorType(.bool, [Dim]())), ("p", type)]
    let head = context.builder.beginBlock(inputs: inputs)
    let limit = context.constant(.scalar(.int64, 100), "rounds")
    let goesOn = try context.emit(LogicalAnd(), try context.emit(Less(), head[0], limit), head[1])
    let cond = context.builder.endBlock(yielding: [goesOn])

    let body = context.builder.beginBlock(inputs: inputs)
    let state = try State(body[2], matrix, in: &context)
    let isOpen = try isOpen(state, in: &context)
    let next = try context.emit(Select(), isOpen, try swept(state, matrix, in: &context), body[2])
    let open = try context.emit(ReduceSum(axes: [0, 1]), try context.cast(isOpen, to: .int32))
    let isAny = try context.emit(Greater(), open, try context.number(0, like: open))
    let block = context.builder.endBlock(yielding: [try context.raised(body[0], by: 1), isAny, next])
    let counter = context.constant(.scalar(.int64, 0), "start")
    let holds = context.constant(.scalar(.bool, 1), "holds")
    return try context.emit(WhileLoop(), all: [[counter, holds, start]], blocks: [cond, block])[2]
  }

  /// Q, `[N, classes, classes]`.
  private func matrix(_ first: ValueID, _ second: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID
  {
    let zero = try context.scaled(try context.slice(first, axis: 1, from: 0, to: 1), by: 0)
    let all = try context.concat([first, second, zero], axis: 1)
    func place(_ winner: Int, _ loser: Int) -> Int {
      winner == loser ? 2 * pairs.count : pairs.place(winner, loser) + (winner < loser ? 0 : pairs.count)
    }
    let (range, shape) = (0..<classes, [classes, classes])
    let own = Tensor(.int64, shape, range.flatMap { t in range.map { place(t, $0) } })
    let others = Tensor(.int64, shape, range.flatMap { t in range.map { place($0, t) } })
    let wins = try context.emit(Gather(axis: 1), all, context.constant(own, "wins"))
    let losses = try context.emit(Gather(axis: 1), all, context.constant(others, "losses"))
    let sum = try context.emit(ReduceSum(axes: [2], keepDims: true), try context.emit(Square(), losses))
    let product = try context.emit(Neg(), try context.emit(Mul(), losses, wins))
    let diagonal = Tensor(.bool, shape, range.flatMap { t in range.map { $0 == t ? 1 : 0 } })
    return try context.emit(Select(), context.constant(diagonal, "diagonal"), sum, product)
  }

  /// p, `Qp: [N, classes]` and `pᵀQp: [N, 1]`.
  private struct State {
    var p: ValueID, product: ValueID, form: ValueID

    init(_ p: ValueID, _ matrix: ValueID, in context: inout ONNXContext) throws(Diagnostic) {
      let terms = try context.emit(Mul(), matrix, try context.emit(ExpandDims([1]), p))
      product = try context.emit(ReduceSum(axes: [2]), terms)
      form = try context.emit(ReduceSum(axes: [1], keepDims: true), try context.emit(Mul(), p, product))
      self.p = p
    }

    init(_ values: ArraySlice<ValueID>) {
      let values = Array(values)
      (p, product, form) = (values[0], values[1], values[2])
    }

    var values: [ValueID] { [p, product, form] }
  }

  /// `bool[N, 1]`: which rows are not near enough.
  private func isOpen(_ state: State, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let error = try context.emit(Abs(), try context.emit(Sub(), state.product, state.form))
    let isFar = try context.emit(GreaterEqual(), error, try context.number(Double(0.005 / Float(classes)), like: error))
    let count = try context.emit(ReduceSum(axes: [1], keepDims: true), try context.cast(isFar, to: .int32))
    return try context.emit(Greater(), count, try context.number(0, like: count))
  }

  /// p after a change of each class.
  private func swept(_ start: State, _ matrix: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let types = start.values.map { context.fact($0).type }
    let inputs = [("class", TensorType(.int64, [Dim]()))] + zip(["p", "product", "form"], types).map { ($0, $1) }
    let head = context.builder.beginBlock(inputs: inputs)
    let end = context.constant(.scalar(.int64, classes), "classes")
    let cond = context.builder.endBlock(yielding: [try context.emit(Less(), head[0], end)])
    let body = context.builder.beginBlock(inputs: inputs)
    let next = try changed(State(body[1...]), body[0], matrix, in: &context)
    let block = context.builder.endBlock(yielding: [try context.raised(body[0], by: 1)] + next.values)
    let zero = context.constant(.scalar(.int64, 0), "first")
    return try context.emit(WhileLoop(), all: [[zero] + start.values], blocks: [cond, block])[1]
  }

  /// The state after the class t has gone to where the form is least, and all have been divided by their sum.
  private func changed(_ state: State, _ t: ValueID, _ matrix: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> State
  {
    let (place, range) = (try context.emit(ExpandDims([0]), t), 0..<classes)
    let identity = range.flatMap { t in range.map { $0 == t ? Float(1) : 0 } }
    let units = context.constant(Tensor([classes, classes], floats: identity), "units")
    let row = try context.emit(Gather(axis: 1), matrix, t)
    let weight = try context.emit(Gather(axis: 1), row, place)
    let own = try context.emit(Gather(axis: 1), state.product, place)
    let step = try context.emit(RealDiv(), try context.emit(Sub(), state.form, own), weight)
    let sum = try context.raised(step, by: 1)
    let moved = try context.emit(Mul(), step, try context.emit(Gather(axis: 0), units, t))
    let slope = try context.emit(Add(), try context.emit(Mul(), step, weight), try context.scaled(own, by: 2))
    let form = try context.emit(Add(), state.form, try context.emit(Mul(), step, slope))
    let product = try context.emit(Add(), state.product, try context.emit(Mul(), step, row))
    var next = state
    next.p = try context.emit(RealDiv(), try context.emit(Add(), state.p, moved), sum)
    next.form = try context.emit(RealDiv(), try context.emit(RealDiv(), form, sum), sum)
    next.product = try context.emit(RealDiv(), product, sum)
    return next
  }
}
