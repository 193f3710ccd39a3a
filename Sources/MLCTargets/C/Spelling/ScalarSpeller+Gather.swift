import MLCCore
import MLCKernels

// Loads whose lanes lie apart: at a stride, or where data says.

/// How far the lanes of a load lie from its first place, and what has to hold for a lane's index to be meant.
struct Gather: Hashable {
  /// Terms that vary by lane. A multiple of the axis stands for that of a lane's number.
  var apart: LinearIndex
  var guards: [Scalar]
}

/// The offsets of a gather as a C expression, and where those begin that are near each other.
struct PreparedGather {
  var offsets: String, near: String?
}

/// Where the lanes of a gather begin to lie apart.
struct GatherBase: Hashable {
  var param: Int, fixed: LinearIndex
}

extension ScalarSpeller {
  /// What all lanes of a load along `axis` have in common, and what they do not.
  func split(_ place: LinearIndex, _ axis: Int) -> (fixed: LinearIndex, apart: LinearIndex) {
    let lane = laneAxis(axis)
    var (fixed, apart) = (LinearIndex([:], place.rest), LinearIndex())
    for (atom, factor) in place.terms {
      if atom.mentions(lane) { apart.terms[atom] = factor }
      if !atom.mentions(lane) || atom == .axis(lane) { fixed.terms[atom] = factor }
    }
    return (fixed, apart)
  }

  func obstacle(gather p: Int, _ indices: [Index], _ axis: Int) -> String? {
    for atom in split(address(p, indices), axis).apart.terms.keys where atom != .axis(laneAxis(axis)) {
      guard case .clamped(let index, _) = atom else { return "a divided position" }
      if let reason = obstacle(wide: index, axis) { return reason }
    }
    return nil
  }

  /// Why there are no lanes of an index that is not linear in the loop.
  func obstacle(wide index: LinearIndex, _ axis: Int) -> String? {
    let lane = laneAxis(axis)
    for atom in index.terms.keys where atom != .axis(lane) && atom.mentions(lane) {
      switch atom {
      case .value(let s):
        guard dtype(s) == .int64 || dtype(s) == .int32 else { return "an index of \(dtype(s).rawValue)" }
        if let reason = obstacle(s, axis: axis) { return reason }
      case .floorDiv(let x, _), .mod(let x, _):
        guard index.hasValue else { return "a divided position" }
        if let reason = obstacle(wide: x, axis) { return reason }
      case .axis, .clamped: return "a clamped position"
      }
    }
    return nil
  }

  /// One more than the greatest offset where numbers decide that and the least is none less than 0.
  func reach(_ apart: LinearIndex, lanes: Int) -> Int? {
    var sum = 0
    for (atom, factor) in apart.terms {
      guard let step = factor.constant, step > 0 else { return nil }
      let (most, overflow): (Int, Bool) =
        switch atom {
        case .clamped(_, let extent): step.multipliedReportingOverflow(by: (extent.constant ?? 1 << 40) - 1)
        default: step.multipliedReportingOverflow(by: lanes - 1)
        }
      guard !overflow, most < 1 << 31 else { return nil }
      sum += most
    }
    return sum < (1 << 31) - 1 ? sum + 1 : nil
  }

  /// This where, of what a select chooses from, only lanes are meant in which `condition` holds.
  func under(_ condition: Scalar) -> ScalarSpeller {
    guard takesGathers else { return self }
    var copy = self
    copy.guards.append(condition)
    return copy
  }

  /// Where the lanes of `mode` of a load begin. What data decides for all of them is a fault where any is meant.
  func pointer(_ p: Int, _ place: LinearIndex, _ mode: Mode) -> String {
    var speller = self
    if !guards.isEmpty, place.hasValue { speller.fault = "(mlc_any(\(meant(mode))) ? frame->fault : 0)" }
    return "p\(p) + \(speller.spell(place))"
  }

  func gather(_ p: Int, _ place: LinearIndex, _ mode: Mode) -> String {
    guard case .vector(let axis, _) = mode else { preconditionFailure("a gather of one element") }
    let (fixed, apart) = split(place, axis)
    let element = StoredElement(params[p].dtype)
    let pointer = bases[GatherBase(param: p, fixed: fixed)] ?? pointer(p, fixed, mode)
    let isFar = reach(apart, lanes: Self.mostLanes) == nil
    if let known = prepared[Gather(apart: apart, guards: guards)] {
      return element.gather(pointer, known.offsets, far: isFar, near: known.near)
    }
    return element.gather(pointer, offsets(apart, mode), far: isFar)
  }

  private static let mostLanes = 16

  /// The type of the offsets `apart`.
  func offsetType(_ apart: LinearIndex) -> LaneType { reach(apart, lanes: Self.mostLanes) == nil ? .long : .int }

  /// How far the lanes lie from the first place, each within the tensor.
  func offsets(_ apart: LinearIndex, _ mode: Mode) -> String {
    let type = offsetType(apart)
    let parts = apart.terms.map { atom, factor -> String in
      let lanes: String =
        switch atom {
        case .clamped(let index, let extent):
          "\(type.function("index"))(\(wide(index, mode)), \(sizes.spell(extent)), \(meant(mode)), frame->fault)"
        default: laneNumbers(type, mode)
        }
      return factor == 1 ? lanes : "\(lanes) * \(type.splat(sizes.spell(factor)))"
    }
    return parts.count == 1 ? parts[0] : "(\(parts.sorted().joined(separator: " + ")))"
  }

  /// The lanes' numbers; those behind a part repeat its last.
  private func laneNumbers(_ type: LaneType, _ mode: Mode) -> String {
    let numbers = type == .int ? "mlc_iota()" : "mlc_iota_q()"
    guard case .vector(_, let part?) = mode else { return numbers }
    return "\(type.function("min"))(\(numbers), \(type.splat("\(part) - 1")))"
  }

  /// The lanes of an index as int64.
  func wide(_ index: LinearIndex, _ mode: Mode) -> String {
    guard case .vector(let axis, _) = mode else { preconditionFailure("lanes of one element") }
    let lane = laneAxis(axis)
    var uniform = LinearIndex([:], index.rest)
    var parts: [String] = []
    for (atom, factor) in index.terms {
      if !atom.mentions(lane) || atom == .axis(lane) { uniform.terms[atom] = factor }
      let lanes: String
      switch atom {
      case .axis(lane): lanes = "mlc_iota_q()"
      case .floorDiv(let x, let d) where atom.mentions(lane):
        lanes = "mlc_floor_div_q(\(wide(x, mode)), \(sizes.spell(d)))"
      case .mod(let x, let d) where atom.mentions(lane):
        lanes = "mlc_floor_mod_q(\(wide(x, mode)), \(sizes.spell(d)))"
      case .value(let s) where atom.mentions(lane):
        lanes = LaneType.long.converted(spell(s, mode), from: self.lanes(s))
      default: continue
      }
      parts.append(factor == 1 ? lanes : "\(lanes) * \(LaneType.long.splat(sizes.spell(factor)))")
    }
    parts.sort()
    if uniform != LinearIndex() { parts.append(LaneType.long.splat(spell(uniform))) }
    return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " + ")))"
  }

  /// −1 in the lanes that are meant.
  private func meant(_ mode: Mode) -> String {
    var conditions = guards.indices.map { k -> String in
      var outer = self
      outer.guards = Array(guards[..<k])
      return outer.spell(guards[k], mode)
    }
    if case .vector(_, let part?) = mode { conditions.append("mlc_first(\(part))") }
    return conditions.isEmpty ? "SPLATI(-1)" : "(\(conditions.joined(separator: " & ")))"
  }
}
