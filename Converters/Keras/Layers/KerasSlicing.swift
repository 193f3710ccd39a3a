import MLCCore
import MLCGraph
import MLCOps

/// `x[1:, None, ..., -1, ::2]`: slices, single places, which drop the axis, and new axes. Masks end here.
package struct KerasSlicing: KerasLayer {
  package static let classNames = ["GetItem", "SlicingOpLambda"]

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let x = try context.plain(try call.input())
    let parts = try parts(call, rank: context.fact(x).rank)
    var op = SliceByIndex()
    var bounds: (begin: [Int], end: [Int], stride: [Int]) = ([], [], [])
    for part in parts {
      switch part {
      case .new: continue
      case .place(let place): append(place, nil, 1, isPlace: true)
      case .slice(let start, let stop, let step): append(start, stop, step, isPlace: false)
      }
    }
    func append(_ begin: Int?, _ end: Int?, _ stride: Int, isPlace: Bool) {
      bounds.begin.append(begin ?? 0)
      bounds.end.append(end ?? 0)
      bounds.stride.append(stride)
      op.beginMask.append(begin == nil)
      op.endMask.append(end == nil)
      op.squeezeMask.append(isPlace)
    }
    let y = try context.emit(
      op,
      x,
      context.constant(ints: bounds.begin, "begin"),
      context.constant(ints: bounds.end, "end"),
      context.constant(ints: bounds.stride, "stride")
    )
    let axes = parts.filter { if case .place = $0 { false } else { true } }
    let added = axes.indices.filter { if case .new = axes[$0] { true } else { false } }
    return [KerasTensor(added.isEmpty ? y : try context.emit(ExpandDims(added), y))]
  }

  private enum Part {
    case new
    case place(Int)
    case slice(start: Int?, stop: Int?, step: Int)
  }

  /// What stands between the brackets, something for each of `rank` axes.
  private static func parts(_ call: KerasCall, rank: Int) throws(Diagnostic) -> [Part] {
    let key = call.options["slice_spec"] ?? call.options["key"] ?? call.arguments.dropFirst().first
    guard let key else { throw Diagnostic("keras.inputs", "the slice says nothing of its axes") }
    let items = if case .array(let items) = key { items } else { [key] }
    let named = items.count { $0 != .null && !isEllipsis($0) }
    guard named <= rank, items.count <= 32 else {
      throw Diagnostic("keras.axis", "\(items.count) slices do not fit a tensor of \(rank) axes")
    }
    // Where there is no ellipsis, it stands at the end.
    let place = items.firstIndex { isEllipsis($0) } ?? items.endIndex
    var parts: [Part] = []
    for item in items[..<place] { parts.append(try part(item)) }
    parts += [Part](repeating: .slice(start: nil, stop: nil, step: 1), count: rank - named)
    for item in items[place...].dropFirst() { parts.append(try part(item)) }
    return parts
  }

  private static func isEllipsis(_ item: JSON) -> Bool {
    guard case .object(let members) = item else { return false }
    return members["class_name"] == .string("__ellipsis__")
  }

  private static func part(_ item: JSON) throws(Diagnostic) -> Part {
    switch item {
    case .null: return .new
    case .integer(let place): return .place(try index(place))
    case .object(var members) where !isEllipsis(item):
      if case .object(let config)? = members["config"], members["class_name"] == .string("__slice__") {
        members = config
      }
      var bounds: [Int?] = []
      for key in ["start", "stop", "step"] {
        switch members[key] ?? .null {
        case .null: bounds.append(nil)
        case .integer(let number): bounds.append(try index(number))
        default: throw unsupported
        }
      }
      return .slice(start: bounds[0], stop: bounds[1], step: bounds[2] ?? 1)
    default: throw unsupported
    }
  }

  private static var unsupported: Diagnostic {
    Diagnostic("keras.option", "slices by tensors are not supported", kind: .unsupported)
  }

  private static func index(_ number: Int) throws(Diagnostic) -> Int {
    guard number.magnitude <= Int32.max else { throw Diagnostic("keras.axis", "\(number) is no place in a tensor") }
    return number
  }
}
