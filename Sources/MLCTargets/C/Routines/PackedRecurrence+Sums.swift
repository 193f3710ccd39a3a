import MLCKernels

extension PackedRecurrence {
  /// The sum called `name`: what lies at `start` and the state times the weights of gate `index`, counted as packed.
  struct Sum {
    let name: String
    let index: Int
    /// A C expression of the first of some units, `j`, and of how many there are, `part`.
    let start: (_ j: String, _ part: String) -> String

    init(_ name: String, _ index: Int, start: @escaping (_ j: String, _ part: String) -> String) {
      (self.name, self.index, self.start) = (name, index, start)
    }
  }

  /// `sums` of all units by the state `h`, in the order of their gates, and `then` for each vector of units: there `j`
  /// is the first one, `part` how many there are, and each sum goes by its name.
  ///
  /// Two vectors at a time where a row of weights holds several, so that it is not read again for each; four of a sum
  /// alone, whose additions would wait for one another.
  func each(_ sums: [Sum], by h: String, on device: DeviceDescription, then: CCode) -> CCode {
    let row = row(device)
    if row != device.lanes { return double(sums, h, row, then) }
    return sums.count == 1 ? four(sums[0], h, then) : single(sums, h, then)
  }

  private func single(_ sums: [Sum], _ h: String, _ then: CCode) -> CCode {
    let state = sums.count > 2 ? "s" : "\(h)[k]"
    func skip(_ gates: Int) -> String { gates == 0 ? "" : gates == 1 ? " + VL" : " + \(gates) * VL" }
    let products = sums.map { "\($0.name) += LD(w\(skip($0.index - sums[0].index))) * \(state)" }
    let step = CCode(products.joined(separator: ", ") + ";")
    return """
      for (int64_t j = 0; j < H; j += VL) {
        const int64_t part = mlc_min_i64(VL, H - j);
        const float *w = w0 + j * (G * H)\(skip(sums[0].index));
        V \(sums.map { "\($0.name) = \($0.start("j", "part"))" }.joined(separator: ", "));
        for (int64_t k = 0; k < H; k++, w += G * VL) {
          \(sums.count > 2 ? "const float s = \(h)[k];" : "")
          \(step)
        }
        \(then)
      }
      """
  }

  /// Vectors past the last are the last one again, of no units.
  private func four(_ sum: Sum, _ h: String, _ then: CCode) -> CCode {
    let starts = (0..<4).map { unit -> CCode in
      """
      const int64_t j\(unit) = j + \(unit) * VL, part\(unit) = mlc_min_i64(VL, mlc_max_i64(0, H - j\(unit)));
      const float *const row\(unit) = w0 + mlc_min_i64(j\(unit), HP - VL) * (G * H) + \(sum.index) * VL;
      V \(sum.name)\(unit) = \(sum.start("j\(unit)", "part\(unit)"));
      """
    }
    let products = (0..<4).map { unit in "\(sum.name)\(unit) += LD(row\(unit) + k * (G * VL)) * s;" }
    let results = (0..<4).map { unit -> CCode in
      .block("const int64_t j = j\(unit), part = part\(unit);\nV \(sum.name) = \(sum.name)\(unit);" + then)
    }
    return """
      for (int64_t j = 0; j < H; j += 4 * VL) {
        \(starts.joined())
        for (int64_t k = 0; k < H; k++) {
          const float s = \(h)[k];
          \(CCode(lines: products))
        }
        \(results.joined())
      }
      """
  }

  /// Rows of `row` units, a multiple of two vectors.
  private func double(_ sums: [Sum], _ h: String, _ row: Int, _ then: CCode) -> CCode {
    let units = [0, 1]
    let starts = CCode(
      lines: units.map { unit in
        "V " + sums.map { "\($0.name)\(unit) = \($0.start("j\(unit)", "part\(unit)"))" }.joined(separator: ", ") + ";"
      }
    )
    let products = CCode.grid(sums.count, units.count) { sum, unit in
      "\(sums[sum].name)\(unit) += LD(w + \(sums[sum].index * row) + \(unit) * VL) * s;"
    }
    let results = units.map { unit -> CCode in
      let own = sums.map { "\($0.name) = \($0.name)\(unit)" }.joined(separator: ", ")
      return .block("const int64_t j = j\(unit), part = part\(unit);\nV \(own);" + then)
    }
    return """
      for (int64_t j0 = 0; j0 < H; j0 += 2 * VL) {
        const int64_t j1 = j0 + VL;
        const int64_t part0 = mlc_min_i64(VL, H - j0), part1 = mlc_min_i64(VL, mlc_max_i64(0, H - j1));
        const float *w = w0 + j0 / \(row) * (\(row) * G * H) + j0 % \(row);
        \(starts)
        for (int64_t k = 0; k < H; k++, w += G * \(row)) {
          const float s = \(h)[k];
          \(products)
        }
        \(results.joined())
      }
      """
  }
}
