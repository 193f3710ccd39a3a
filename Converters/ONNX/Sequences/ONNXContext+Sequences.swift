import MLCCore
import MLCGraph
import MLCOps

/// Elements of sequences: counted, read, put in, taken out. Places that are below 0 count from the end.
extension ONNXContext {
  /// How many elements there are, a scalar of type `int64`.
  mutating func count(of sequence: ONNXSequence) throws(Diagnostic) -> ValueID {
    switch sequence {
    case .list(let values, _): constant(.scalar(.int64, values.count), "count")
    case .stack(let stack): try extent(of: stack, axis: 0)
    case .ragged(_, let shapes): try extent(of: shapes, axis: 0)
    }
  }

  /// The element at `place`, a scalar of type `int64`. Throws `onnx.sequence` where there is none, if that is known.
  mutating func element(at place: ValueID, of sequence: ONNXSequence) throws(Diagnostic) -> ValueID {
    switch sequence {
    case .list(let values, _):
      if let number = fact(place).integers?.first { return values[try index(number, below: values.count)] }
      return try element(at: place, of: try measured(sequence))
    case .stack(let stack):
      return try emit(Gather(axis: 0), stack, try self.place(place, in: sequence))
    case .ragged(let elements, let shapes):
      let index = try self.place(place, in: sequence)
      let shape = try emit(Gather(axis: 0), shapes, index)
      let begin = try start(of: index, in: shapes)
      let count = try emit(ReduceProd(axes: [0], keepDims: false), shape)
      let part = try slice(elements, from: begin, to: try emit(Add(), begin, count))
      return try emit(Reshape(allowZero: true), part, shape)
    }
  }

  /// `sequence` with `value` in front of the element at `place`, or behind all.
  mutating func inserting(_ value: ValueID, at place: ValueID?, into sequence: ONNXSequence)
    throws(Diagnostic) -> ONNXSequence
  {
    let type = fact(value).type
    switch sequence {
    case .list(_, let dtype) where dtype != type.dtype:
      throw Diagnostic("onnx.sequence", "\(type) does not fit a sequence of \(dtype.rawValue)")
    case .list(var values, let dtype):
      let known = place.map { fact($0).integers?.first } ?? values.count
      guard let number = known else { return try inserting(value, at: place, into: try measured(sequence)) }
      values.insert(value, at: number == values.count ? number : try index(number, below: values.count))
      return .list(values, dtype)
    case .stack(let stack) where try form(.sequence(sequence)) == .stack(type):
      let rows = try emit(ExpandDims([0]), value)
      let (front, back) = try divided(stack, at: place, of: sequence)
      return .stack(try concat([front, rows] + back, axis: 0))
    case .stack:
      let (elements, shapes) = try ragged(sequence, type.dtype, type.rank)
      return try inserting(value, at: place, into: .ragged(elements: elements, shapes: shapes))
    case .ragged(let elements, let shapes):
      guard fact(elements).dtype == type.dtype, try rank(ofShapes: shapes) == type.rank else {
        let own = try form(.sequence(sequence))
        throw Diagnostic("onnx.sequence", "\(type) does not fit \(own)", kind: .unsupported)
      }
      let flat = try emit(Reshape(), value, constant(ints: [-1], "flat"))
      let row = try emit(ExpandDims([0]), try emit(Shape(dtype: .int64), value))
      guard let place else {
        return .ragged(elements: try concat([elements, flat], axis: 0), shapes: try concat([shapes, row], axis: 0))
      }
      let index = try self.place(place, in: sequence, orBehind: true)
      let begin = try start(of: index, in: shapes)
      let parts = [try slice(elements, to: begin), flat, try slice(elements, from: begin)]
      let rows = [try slice(shapes, to: index), row, try slice(shapes, from: index)]
      return .ragged(elements: try concat(parts, axis: 0), shapes: try concat(rows, axis: 0))
    }
  }

  /// `sequence` without the element at `place`, or the last.
  mutating func erasing(at place: ValueID?, from sequence: ONNXSequence) throws(Diagnostic) -> ONNXSequence {
    let place = place ?? constant(.scalar(.int64, -1), "last")
    switch sequence {
    case .list(var values, let dtype):
      guard let number = fact(place).integers?.first else {
        return try erasing(at: place, from: try measured(sequence))
      }
      values.remove(at: try index(number, below: values.count))
      return .list(values, dtype)
    case .stack(let stack):
      let index = try self.place(place, in: sequence)
      let next = try emit(Add(), index, constant(.scalar(.int64, 1), "one"))
      return .stack(try concat([try slice(stack, to: index), try slice(stack, from: next)], axis: 0))
    case .ragged(let elements, let shapes):
      let index = try self.place(place, in: sequence)
      let next = try emit(Add(), index, constant(.scalar(.int64, 1), "one"))
      let (begin, end) = (try start(of: index, in: shapes), try start(of: next, in: shapes))
      let parts = [try slice(elements, to: begin), try slice(elements, from: end)]
      let rows = [try slice(shapes, to: index), try slice(shapes, from: next)]
      return .ragged(elements: try concat(parts, axis: 0), shapes: try concat(rows, axis: 0))
    }
  }

  // MARK: Parts

  private func index(_ number: Int, below count: Int) throws(Diagnostic) -> Int {
    let place = number < 0 ? number + count : number
    guard (0..<count).contains(place) else {
      throw Diagnostic("onnx.sequence", "there is no element \(number) in a sequence of \(count)")
    }
    return place
  }

  /// `place` from the front, held to be that of an element, or `orBehind` the last.
  private mutating func place(_ place: ValueID, in sequence: ONNXSequence, orBehind: Bool = false)
    throws(Diagnostic) -> ValueID
  {
    let zero = constant(.scalar(.int64, 0), "zero")
    let count = try count(of: sequence)
    let fromEnd = try emit(Add(), place, count)
    let index = try emit(Select(), try emit(Less(), place, zero), fromEnd, place)
    let isBelow = try emit(orBehind ? LessEqual() : Less(), index, count)
    let holds = try emit(LogicalAnd(), isBelow, try emit(GreaterEqual(), index, zero))
    return try emit(Ensure(), index, holds)
  }

  /// Where the elements of the tensor at `index` begin, whose rows `shapes` has.
  private mutating func start(of index: ValueID, in shapes: ValueID) throws(Diagnostic) -> ValueID {
    let before = try slice(shapes, to: index)
    let counts = try emit(ReduceProd(axes: [1], keepDims: false), before)
    return try emit(ReduceSum(axes: [0], keepDims: false), counts)
  }

  /// What stands in `stack` before `place` and behind it.
  private mutating func divided(_ stack: ValueID, at place: ValueID?, of sequence: ONNXSequence)
    throws(Diagnostic) -> (ValueID, [ValueID])
  {
    guard let place else { return (stack, []) }
    let index = try self.place(place, in: sequence, orBehind: true)
    return (try slice(stack, to: index), [try slice(stack, from: index)])
  }

  /// The rows of `x` from `begin`, or the first, up to `end`, or the last, scalars of type `int64`.
  mutating func slice(_ x: ValueID, from begin: ValueID? = nil, to end: ValueID? = nil) throws(Diagnostic) -> ValueID {
    let axes = 0..<fact(x).rank
    let op = SliceByIndex(
      beginMask: axes.map { $0 != 0 || begin == nil },
      endMask: axes.map { $0 != 0 || end == nil }
    )
    let rest = axes.count > 1 ? [constant(ints: axes.dropFirst().map { _ in 0 }, "rest")] : []
    let none = constant(.scalar(.int64, 0), "none")
    let from = try concat([try emit(ExpandDims([0]), begin ?? none)] + rest, axis: 0)
    let to = try concat([try emit(ExpandDims([0]), end ?? none)] + rest, axis: 0)
    return try emit(op, x, from, to)
  }
}
