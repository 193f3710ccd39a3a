import MLCCore
import MLCGraph
import MLCOps

/// Boxes `[*B, N, 4]` by their sides, `[*B, N]` each.
struct ONNXBoxes {
  /// Along y, then along x.
  private let low: [ValueID], high: [ValueID]
  private let area: ValueID

  /// The four numbers are y and x of two opposite corners, or x and y of the centre, width and height.
  init(_ boxes: ValueID, isCentred: Bool, in context: inout ONNXContext) throws(Diagnostic) {
    let axis = context.fact(boxes).rank - 1
    var (low, high): ([ValueID], [ValueID]) = ([], [])
    for side in 0..<2 {
      if isCentred {
        let centre = try context.element(1 - side, of: boxes, axis: axis)
        let half = try context.scaled(try context.element(3 - side, of: boxes, axis: axis), by: 0.5)
        low.append(try context.emit(Sub(), centre, half))
        high.append(try context.emit(Add(), centre, half))
      } else {
        let ends = [
          try context.element(side, of: boxes, axis: axis), try context.element(2 + side, of: boxes, axis: axis),
        ]
        low.append(try context.emit(Minimum(), ends[0], ends[1]))
        high.append(try context.emit(Maximum(), ends[0], ends[1]))
      }
    }
    (self.low, self.high) = (low, high)
    let sides = [try context.emit(Sub(), high[0], low[0]), try context.emit(Sub(), high[1], low[1])]
    area = try context.emit(Mul(), sides[1], sides[0])
  }

  /// Which boxes share with the one at `place`, `int32[*B, 1]`, more than `threshold` of the area that both cover. A
  /// box without an area shares nothing.
  func overlapping(at place: ValueID, by threshold: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let axis = context.fact(place).rank - 1
    func own(_ x: ValueID) throws(Diagnostic) -> ValueID {
      try context.emit(GatherAlongAxis(axis: axis), x, place)
    }
    let zero = try context.number(0, like: area)
    var sides: [ValueID] = []
    for side in 0..<2 {
      let start = try context.emit(Maximum(), low[side], try own(low[side]))
      let end = try context.emit(Minimum(), high[side], try own(high[side]))
      sides.append(try context.emit(Maximum(), try context.emit(Sub(), end, start), zero))
    }
    let shared = try context.emit(Mul(), sides[1], sides[0])
    let mine = try own(area)
    let union = try context.emit(Sub(), try context.emit(Add(), mine, area), shared)
    var isMet = try context.emit(Greater(), try context.emit(RealDiv(), shared, union), threshold)
    for amount in [shared, mine, area, union] {
      isMet = try context.emit(LogicalAnd(), isMet, try context.emit(Greater(), amount, zero))
    }
    return isMet
  }
}
