import MLCCore
import MLCGraph
import MLCOps

/// `y = x · scale + shift` by channel, known numbers.
struct ChannelAffine {
  var scale: [Double], shift: [Double]

  /// What `operation` does to its argument when that is such a map over `axis` with `count` channels.
  static func match(_ operation: Operation, axis: Int, count: Int, _ graph: GraphEditor) -> (ValueID, ChannelAffine)? {
    if operation.op is BatchNorm {
      guard axis == 1, let x = operation.inputs[0].first else { return nil }
      return normalization(operation, count, graph).map { (x, $0) }
    }
    let isCommutative = operation.op is Add || operation.op is Mul
    guard isCommutative || operation.op is Sub || operation.op is RealDiv, let (x, c) = graph.operands(operation),
      isCommutative || operation.op is Sub || c == operation.inputs[1].first,
      graph.type(x) == graph.type(operation.outputs[0]), graph.type(x).dtype.isFloat,
      let numbers = perChannel(graph.constant(c)!, axis: axis, rank: graph.type(x).rank, count: count)
    else { return nil }
    let (ones, zeros) = ([Double](repeating: 1, count: count), [Double](repeating: 0, count: count))
    switch operation.op {
    case is Add: return (x, ChannelAffine(scale: ones, shift: numbers))
    case is Mul: return (x, ChannelAffine(scale: numbers, shift: zeros))
    case is RealDiv: return (x, ChannelAffine(scale: numbers.map { 1 / $0 }, shift: zeros))
    default:
      if c == operation.inputs[0].first { return (x, ChannelAffine(scale: ones.map { -$0 }, shift: numbers)) }
      return (x, ChannelAffine(scale: ones, shift: numbers.map { -$0 }))
    }
  }

  /// The elements of a constant that varies along `axis` of a tensor of `rank` axes only.
  private static func perChannel(_ tensor: Tensor, axis: Int, rank: Int, count: Int) -> [Double]? {
    guard tensor.rank <= rank, tensor.count == 1 || tensor.count == count else { return nil }
    if tensor.count == 1 { return [Double](repeating: tensor.doubles[0], count: count) }
    let own = axis - (rank - tensor.rank)
    guard own >= 0, tensor.shape[own] == count else { return nil }
    return tensor.doubles
  }

  private static func normalization(_ operation: Operation, _ count: Int, _ graph: GraphEditor) -> ChannelAffine? {
    guard let op = operation.op as? BatchNorm else { return nil }
    var lists: [[Double]] = []
    for (name, usual) in [("mean", 0.0), ("variance", 1), ("gamma", 1), ("beta", 0)] {
      guard let value = operation.argument(name) else {
        lists.append([Double](repeating: usual, count: count))
        continue
      }
      guard let tensor = graph.constant(value), tensor.count == count else { return nil }
      lists.append(tensor.doubles)
    }
    let scale = (0..<count).map { lists[2][$0] / (lists[1][$0] + op.epsilon).squareRoot() }
    return ChannelAffine(scale: scale, shift: (0..<count).map { lists[3][$0] - lists[0][$0] * scale[$0] })
  }

  var isFinite: Bool { scale.allSatisfy(\.isFinite) && shift.allSatisfy(\.isFinite) }
}

extension Tensor {
  /// The product with `factors`, where `factor(i)` is the factor of element i. Rounds once.
  func scaled(by factor: (Int) -> Double) -> Tensor {
    var numbers = doubles
    for index in numbers.indices { numbers[index] *= factor(index) }
    return Tensor(dtype, shape, numbers)
  }
}
