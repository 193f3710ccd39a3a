import MLCCore
import MLCKernels

// Rows that phases are put together to: the innermost loop of a store has two or four turns, and vectors run along a
// loop whose steps leave room for them. The vectors of all phases are zipped, and stored as they then lie.

/// A store at `count·rows + phases`, where `phases` has `count` turns.
struct Interleaving {
  var rows: Axis, phases: Axis, count: Int
  var param: Int, index: [Index]

  /// Where the first phase of the row's position is stored.
  var start: [Index] { index.map { $0.substituting([phases.id: .constant(0)]) } }
}

extension NestWriter {
  /// The nest by vectors that are zipped, in sections of the rows; `nil` where it has none.
  func interleaved() -> NestPart? {
    guard let found = interleaving() else { return nil }
    let all = LoopSection(from: 0, to: found.rows.extent, stages: nest.stages)
    let sections = decidedSections(found.rows) ?? [all]
    guard sections.contains(where: { phases($0, found) != nil }) else { return nil }
    return part(
      plan(hot: found.rows, around: found.phases, multiple: lanes),
      sections.map { interleaved($0, found) }.joined()
    )
  }

  private func interleaving() -> Interleaving? {
    guard nest.stages.count == 1, case .store(let p, let index, let own, _) = nest.stages[0], own.isEmpty,
      speller.params[p].dtype == .float32, let phases = nest.axes.last, let count = phases.extent.constant,
      count == 2 || count == 4
    else { return nil }
    let address = speller.address(p, index)
    guard address.coefficient(of: phases.id) == 1,
      let rows = nest.axes.first(where: { address.coefficient(of: $0.id) == Dim(count) })
    else { return nil }
    return Interleaving(rows: rows, phases: phases, count: count, param: p, index: index)
  }

  /// What the section stores, phase by phase, where all have vectors along the rows.
  private func phases(_ section: LoopSection, _ found: Interleaving) -> [Scalar]? {
    guard case .store(_, _, _, let value) = section.stages[0], speller.dtype(value) == .float32 else { return nil }
    let values = (0..<found.count).map { value.substituting([found.phases.id: .constant($0)]) }
    return values.allSatisfy { speller.canVectorise($0, axis: found.rows.id) } ? values : nil
  }

  private func interleaved(_ section: LoopSection, _ found: Interleaving) -> CCode {
    let i = "i\(found.rows.id)"
    let (from, to) = (speller.sizes.spell(section.from), speller.sizes.spell(section.to))
    let range: CCode = "const int64_t from = mlc_max_i64(lo, \(from)), to = mlc_min_i64(hi, \(to));"
    guard let values = phases(section, found) else {
      guard case .store(let p, let index, _, let value) = section.stages[0] else { return [] }
      let stores: CCode = .loops(loops([found.phases]), CCode(speller.store(p, index, value)))
      return .block(range + .block("for (int64_t \(i) = from; \(i) < to; \(i)++)", stores))
    }
    return .block(
      """
      \(range)
      int64_t \(i) = from;
      for (; \(i) + VL <= to; \(i) += VL) {
        \(zipped(values, found, part: nil))
      }
      if (\(i) < to) {
        const int64_t part = to - \(i);
        \(zipped(values, found, part: "part"))
      }
      """
    )
  }

  private func zipped(_ values: [Scalar], _ found: Interleaving, part: String?) -> CCode {
    let vectors = values.enumerated().map { number, value in
      "const V z\(number) = \(speller.spell(value, .vector(axis: found.rows.id, part: part)));"
    }
    func zip(_ a: String, _ b: String) -> [String] { ["MLC_ZIP_LOW(\(a), \(b))", "MLC_ZIP_HIGH(\(a), \(b))"] }
    let names = ["even", "even_end", "odd", "odd_end"]
    let halves = Swift.zip(names, zip("z0", "z2") + zip("z1", "z3")).map { "const V \($0) = \($1);" }
    let results = found.count == 2 ? zip("z0", "z1") : zip("even", "odd") + zip("even_end", "odd_end")
    let stores = results.enumerated().map { number, result in
      part == nil
        ? "ST(to_row + \(number) * VL, \(result));"
        : "mlc_st_some(to_row + \(number) * VL, \(result), \(found.count) * part - \(number) * VL);"
    }
    let address = speller.spell(speller.address(found.param, found.start))
    let row = "float *const to_row = p\(found.param) + \(address);"
    return CCode(lines: vectors + (found.count == 2 ? [] : halves) + [row] + stores)
  }
}
