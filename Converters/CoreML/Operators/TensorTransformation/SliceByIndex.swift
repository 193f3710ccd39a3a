import MLCCore
import MLCGraph
import MLCOps

extension SliceByIndex: MILSpelled {
  /// Masks are written out. Constant ends that lie outside a fixed extent become the extent's own ends, or masks, so
  /// that no number beyond 32 bits is left.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    guard let x = context.fact("x") else { return }
    let rank = x.rank
    func mask(_ mask: [Bool]) -> [Bool] { mask.isEmpty ? [Bool](repeating: false, count: rank) : mask }
    var (open, close) = (mask(beginMask), mask(endMask))
    call["squeeze_mask"] = .bools(mask(squeezeMask))
    defer {
      call["begin_mask"] = .bools(open)
      call["end_mask"] = .bools(close)
    }
    if context.fact("stride") == nil { call["stride"] = .ints([Int](repeating: 1, count: rank)) }
    let stride = context.fact("stride").map { $0.value?.integers } ?? [Int](repeating: 1, count: rank)
    guard var begin = context.fact("begin")?.value?.integers, var end = context.fact("end")?.value?.integers,
      let stride, begin.count == rank, end.count == rank, stride.count == rank
    else { return }
    for axis in 0..<rank where !mask(squeezeMask)[axis] {
      let (far, forward) = (Int(Int32.max), stride[axis] > 0)
      let extent = x.shape[axis].constant ?? far
      let past = end[axis] >= extent && forward || end[axis] < -extent && !forward
      if past || end[axis] >= far || end[axis] <= -far { (end[axis], close[axis]) = (0, true) }
      if begin[axis] >= extent && !forward || begin[axis] < -extent && forward {
        (begin[axis], open[axis]) = (0, true)
      }
    }
    call.removeOperand("begin")
    call.removeOperand("end")
    call["begin"] = .ints(begin)
    call["end"] = .ints(end)
  }
}
