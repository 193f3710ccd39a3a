import MLCCore
import MLCGraph
import MLCOps

extension RandomGraph {
  /// Elements of `x`: fewer, more, in another order or under another shape.
  mutating func rearranged(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let rank = fact(x).rank
    if rank == 0 { return try append(ExpandDims([0]), [[x]]) }
    switch random.below(20) {
    case 0...3: return try slice(x)
    case 4...6: return try gather(x)
    case 7: return try gatherNd(x)
    case 8, 9: return try split(x)
    case 10, 11: return try append(Transpose(random.shuffled(Array(0..<rank))), [[x]])
    case 12: return try reshape(x)
    case 13: return try unsqueeze(x)
    case 14, 15: return try concat(x)
    case 16: return try pad(x)
    case 17: return try tile(x)
    case 18: return try append(Reverse([random.below(rank)]), [[x]])
    default: return try convert(x)
    }
  }

  /// One axis or several cut to a prefix, a suffix, a middle, every other element, or all in reverse.
  mutating func slice(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let extents = extents(x)
    var op = SliceByIndex(beginMask: [], endMask: [])
    var (begin, end, stride): ([Int], [Int], [Int]) = ([], [], [])
    let only = random.below(extents.count)
    for (axis, extent) in extents.enumerated() {
      let isWhole = axis != only && random.chance(0.7)
      let (low, high) = (random.below(extent + 1), random.below(extent + 1))
      let (first, last) = (min(low, high), max(low, high))
      let form = isWhole ? 0 : 1 + random.below(6)
      let isBack = form == 5
      begin.append(form == 2 || form == 3 ? first : form == 6 ? first - extent : isBack ? max(0, last - 1) : 0)
      end.append(form == 1 || form == 3 || form == 6 ? max(last, 1) : isBack ? first : extent)
      stride.append(isBack ? -random.pick([1, 1, 2]) : form == 4 ? random.pick([2, 3]) : 1)
      op.beginMask.append(form == 0 || form == 1 || form == 4)
      op.endMask.append(form == 0 || form == 2 || form == 4 || isBack && random.chance(0.5))
      op.squeezeMask.append(false)
    }
    if random.chance(0.15), extents[only] > 0 {
      begin[only] = random.pick([0, extents[only] - 1, -1])
      (stride[only], op.beginMask[only], op.squeezeMask[only]) = (1, false, true)
    }
    return try append(op, [[x], [list(begin)], [list(end)], [list(stride)]])
  }

  /// Positions on an axis of `extent`: the first, the last, some in any order, some counted from the end.
  private mutating func positions(_ extent: Int) throws(Diagnostic) -> [Int] {
    guard extent > 0 else { throw Diagnostic("test.draw", "an axis without positions") }
    switch random.below(6) {
    case 0: return [0]
    case 1: return [random.pick([extent - 1, -1])]
    case 2: return Array(0..<max(1, random.below(extent + 1)))
    case 3: return (0..<extent).reversed()
    default: return (0..<1 + random.below(6)).map { _ in random.below(2 * extent) - extent }
    }
  }

  /// Indices as a constant, or as an input that every run gives the same: where another run's extents are smaller the
  /// reference refuses them, and code has to stay within its memory.
  private mutating func indices(_ numbers: [Int], _ shape: [Int]) -> ValueID {
    let tensor = Tensor(random.pick([.int32, .int64]), shape, numbers)
    return random.chance(0.2) ? input(tensor) : builder.constant(tensor)
  }

  private mutating func gather(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let extents = extents(x)
    let axis = random.below(extents.count)
    let numbers = try positions(extents[axis])
    if random.chance(0.15) {
      let one = numbers.count
      let whole = extents.indices.map { $0 == axis ? one : extents[$0] }
      let count = whole.reduce(1, *)
      let places = indices((0..<count).map { numbers[$0 % one] }, whole)
      return try append(GatherAlongAxis(axis: axis), [[x], [places]])
    }
    let isScalar = numbers.count == 1 && random.chance(0.6)
    let shape = isScalar ? [] : random.chance(0.2) ? [1, numbers.count] : [numbers.count]
    return try append(Gather(axis: axis), [[x], [indices(numbers, shape)]])
  }

  private mutating func gatherNd(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let extents = extents(x)
    let depth = 1 + random.below(extents.count)
    let count = random.pick([1, 1, 2, 3])
    var numbers: [Int] = []
    for _ in 0..<count { for axis in 0..<depth { numbers.append(try positions(extents[axis])[0]) } }
    return try append(
      GatherNd(),
      [[x], [indices(numbers, count == 1 && random.chance(0.5) ? [depth] : [count, depth])]]
    )
  }

  /// One piece of several; now and then two of them added or put together the other way round.
  private mutating func split(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let extents = extents(x)
    let axis = random.below(extents.count)
    let extent = extents[axis]
    var op = Split(axis: axis, count: random.pick([2, 3]))
    if fact(x).shape[axis].constant != nil, random.chance(0.6) {
      let first = random.below(extent + 1)
      op = Split(axis: axis, sizes: [first, extent - first])
    }
    let parts = try builder.append(op, [[x]], origin: Location(node: "split"))
    switch random.below(4) {
    case 0: return try append(Concat(axis: axis), [parts.reversed()])
    case 1 where fact(parts[0]).type == fact(parts[1]).type && fact(x).dtype != .bool:
      return try append(Mul(), [[parts[0]], [parts[1]]])
    default: return random.pick([parts[0], parts[0], parts[1]])
    }
  }

  private mutating func reshape(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let shape = fact(x).shape
    if random.chance(0.3), shape.count > 1 {
      let axis = random.below(shape.count - 1)
      return try reshape(x, shape[..<axis] + [shape[axis] * shape[axis + 1]] + shape[(axis + 2)...])
    }
    guard let whole = fact(x).type.staticShape, !whole.contains(0) else { return try reshape(x, [-1]) }
    var rest = whole.reduce(1, *)
    var factors: [Int] = []
    for factor in random.shuffled([2, 3, 4, 5, 7, 8]) where rest % factor == 0 && factors.count < 3 {
      factors.append(factor)
      rest /= factor
    }
    return try reshape(x, random.shuffled(factors + [rest]).map { Dim($0) })
  }

  private mutating func unsqueeze(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let ones = fact(x).shape.indices.filter { fact(x).shape[$0] == 1 }
    if !ones.isEmpty, random.chance(0.5) { return try append(Squeeze([random.pick(ones)]), [[x]]) }
    let axis = random.below(fact(x).rank + 1)
    let wide = try append(ExpandDims([axis]), [[x]])
    guard random.chance(0.4), fact(wide).rank <= 5 else { return wide }
    var target = [Int](repeating: 1, count: fact(wide).rank)
    target[axis] = random.pick([2, 3, 4])
    return try append(BroadcastTo(), [[wide], [list(target)]])
  }

  private mutating func concat(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let axis = random.below(fact(x).rank)
    var parts = [x]
    for _ in 0..<random.pick([1, 1, 2]) {
      switch random.below(4) {
      case 0: parts.append(x)
      case 1: parts.append(try append(Reverse([random.below(fact(x).rank)]), [[x]]))
      default:
        var shape = fact(x).shape
        guard isBindable(shape) else { continue }
        shape[axis] = Dim(random.smallExtent())
        parts.append(operand(shape, fact(x).dtype, constant: 0.3))
      }
    }
    return try append(Concat(axis: axis), [random.shuffled(parts)])
  }

  private mutating func pad(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let axes = 1 + random.below(min(fact(x).rank, 3))
    let mode = random.pick(["constant", "constant", "reflect", "replicate"])
    let amounts = (0..<2 * axes).map { _ in random.pick([0, 0, 1, 2, 3]) }
    guard fact(x).dtype != .bool else { return try append(Transpose(Array((0..<fact(x).rank).reversed())), [[x]]) }
    let value = mode == "constant" && random.chance(0.5) ? [builder.constant(.scalar(fact(x).dtype, 2))] : []
    return try append(Pad(mode: mode), [[x], [list(amounts)], value])
  }

  private mutating func tile(_ x: ValueID) throws(Diagnostic) -> ValueID {
    try append(Tile(), [[x], [list(fact(x).shape.map { _ in random.pick([1, 1, 2, 3]) })]])
  }

  private mutating func convert(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let type = random.pick([DType.float16, .float32, .float64, .int32, .int64])
    let other = try append(Cast(type == fact(x).dtype ? .float64 : type), [[x]])
    return random.chance(0.5) ? other : try append(Cast(dtype), [[other]])
  }
}
