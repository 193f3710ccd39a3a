import MLCCore
import MLCGraph
import MLCOps

/// `x[1:, None, ..., -1, ::2]`: slices, single places, which drop the axis, and new axes. Masks end here.
package struct KerasSlicing: KerasLayer {
  package static let classNames = ["GetItem", "SlicingOpLambda"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    let rank = context.fact(x).rank
    let parts = try parts(call)
    let isNew = parts.map { $0 == .null }
    let named = parts.indices.count { !isNew[$0] && !isEllipsis(parts[$0]) }
    guard named <= rank, parts.count(where: { isEllipsis($0) }) <= 1 else {
      throw Diagnostic("keras.axis", "\(parts.count) parts do not fit \(context.fact(x).type)")
    }
    var op = SliceByIndex()
    var (begin, end, stride): ([Int], [Int], [Int]) = ([], [], [])
    /// Axes of the result that are new.
    var added: [Int] = []
    var kept = 0
    func whole(_ count: Int) {
      for _ in 0..<count {
        (begin, end, stride) = (begin + [0], end + [0], stride + [1])
        (op.beginMask, op.endMask, op.squeezeMask) = (
          op.beginMask + [true], op.endMask + [true], op.squeezeMask + [false]
        )
      }
      kept += count
    }
    for part in parts {
      if part == .null {
        added.append(kept)
        kept += 1
      } else if isEllipsis(part) {
        whole(rank - named)
      } else if case .integer(let place) = part {
        (begin, end, stride) = (begin + [try index(place)], end + [0], stride + [1])
        (op.beginMask, op.endMask, op.squeezeMask) = (
          op.beginMask + [false], op.endMask + [true], op.squeezeMask + [true]
        )
      } else {
        let slice = try slice(part)
        begin.append(slice.start ?? 0)
        end.append(slice.stop ?? 0)
        stride.append(slice.step)
        op.beginMask.append(slice.start == nil)
        op.endMask.append(slice.stop == nil)
        op.squeezeMask.append(false)
        kept += 1
      }
    }
    whole(rank - begin.count)
    let lists = [begin, end, stride].enumerated().map { context.constant(ints: $1, ["begin", "end", "stride"][$0]) }
    let y = try context.emit(op, x, lists[0], lists[1], lists[2])
    return [KerasTensor(added.isEmpty ? y : try context.emit(ExpandDims(added), y))]
  }

  /// What stands between the brackets.
  private static func parts(_ call: KerasCall) throws(Diagnostic) -> [JSON] {
    let key = call.options["slice_spec"] ?? call.options["key"] ?? call.arguments.dropFirst().first
    guard let key else { throw Diagnostic("keras.inputs", "the slice says nothing of its axes") }
    if case .array(let parts) = key { return parts }
    return [key]
  }

  private static func isEllipsis(_ part: JSON) -> Bool {
    guard case .object(let members) = part else { return part == .string("Ellipsis") }
    return members["class_name"] == .string("__ellipsis__")
  }

  private static func slice(_ part: JSON) throws(Diagnostic) -> (start: Int?, stop: Int?, step: Int) {
    guard case .object(var members) = part else {
      throw Diagnostic("keras.option", "slices by tensors are not supported", kind: .unsupported)
    }
    if case .object(let config)? = members["config"], members["class_name"] == .string("__slice__") { members = config }
    var bounds: [Int?] = []
    for key in ["start", "stop", "step"] {
      switch members[key] ?? .null {
      case .null: bounds.append(nil)
      case .integer(let number): bounds.append(try index(number))
      default: throw Diagnostic("keras.option", "slices by tensors are not supported", kind: .unsupported)
      }
    }
    return (bounds[0], bounds[1], bounds[2] ?? 1)
  }

  private static func index(_ number: Int) throws(Diagnostic) -> Int {
    guard abs(number) <= Int(Int32.max) else { throw Diagnostic("keras.axis", "\(number) is no place in a tensor") }
    return number
  }
}
