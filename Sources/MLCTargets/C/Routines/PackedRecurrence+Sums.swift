import MLCCore
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

  /// `sums` of all units of all rows by the vector at `state` in each row's memory, in the order of their gates, and
  /// `then` for each vector of units of a row: there `j` is the first one, `part` how many there are, and each sum goes
  /// by its name; `h`, `next` and `extra` are the row's memory, `x` this step's gates and `y` its output.
  ///
  /// Vectors of a sum alone are taken four at a time, since its additions would wait for one another, and two where a
  /// row of weights holds several, so that it is not read again for each. Past the last they are the last one again, of
  /// no units. The steps of a sum do not depend on the tile.
  func each(_ sums: [Sum], by state: String, on device: DeviceDescription, then: CCode) -> CCode {
    let tile = tile(device)
    let few = tile.counts.count == 1 ? "\(tile.counts.first!)" : "least + (block < more)"
    let vectors = vectors(sums: sums.count, device)
    let width = sums.count * vectors
    let starts = sums.enumerated().map { number, sum in
      "ST(own + (\(number * vectors) + unit) * VL, \(sum.start("j", "part")));"
    }
    let names = sums.enumerated().map { number, sum in "\(sum.name) = LD(own + (\(number * vectors) + unit) * VL)" }
    let cases = tile.counts.sorted(by: >).map { rows -> CCode in
      .block("case \(rows):", products(sums, rows: rows, vectors: vectors, tile, device) + "break;")
    }
    return """
      for (int64_t j0 = from; j0 < to; j0 += \(vectors) * VL) {
        float sums[\(tile.rows * width) * VL] __attribute__((aligned(64)));
        for (int64_t row = 0, block = 0; block < count; block++) {
          const int64_t few = \(few);
          const float *const state = states + row * OWN + \(state);
          \(eachVector(vectors, width, CCode(lines: starts)))
          switch (few) {
            \(cases.joined())
          }
          \(eachVector(vectors, width, pastEnd + "V \(names.joined(separator: ", "));" + then))
          row += few;
        }
      }
      """
  }

  /// Vectors of each of so many sums that are taken at a time.
  func vectors(sums: Int, _ device: DeviceDescription) -> Int {
    let wanted = sums == 1 ? 4 : row(device) == device.lanes ? 1 : 2
    return min(wanted, padded(row(device)) / device.lanes)
  }

  /// Where a row's sequence has ended, its state stays and its output is 0.
  private var pastEnd: CCode {
    guard let lengths else { return [] }
    return """
      if (step >= p\(lengths)[low + row + r]) {
        mlc_st_part(next + j, LD(h + j), part);
        mlc_st_part(y + j, (V){}, part);
        continue;
      }
      """
  }

  /// `body` for each vector of units of each row of a block.
  private func eachVector(_ vectors: Int, _ width: Int, _ body: CCode) -> CCode {
    """
    for (int64_t r = 0; r < few; r++) {
      float *const memory = states + (row + r) * OWN, *const next = memory + (HP - now), *const extra = memory + 2 * HP;
      const float *const h = memory + now, *const x = x0 + (row + r) * (D * G * H);
      float *const y = y0 + (row + r) * H, *const own = sums + r * (\(width) * VL);
      (void)next, (void)extra, (void)h, (void)x, (void)y;
      _Pragma("clang loop unroll(full)") for (int64_t unit = 0; unit < \(vectors); unit++) {
        const int64_t j = j0 + unit * VL, part = mlc_min_i64(VL, mlc_max_i64(0, H - j));
        \(body)
      }
    }
    """
  }

  /// The products of `rows` rows of `state` by the weights, added to `sums`.
  private func products(_ sums: [Sum], rows: Int, vectors: Int, _ tile: Tile, _ device: DeviceDescription) -> CCode {
    let units = tile.units(vectors, gates: sums.count, rows: rows)
    let width = sums.count * vectors
    return stride(from: 0, to: vectors, by: units).map { first -> CCode in
      let places = sums.indices.flatMap { sum in (first..<first + units).map { (sum, $0) } }
      func grid(_ statement: (_ row: Int, _ sum: Int, _ unit: Int) -> String) -> CCode {
        .grid(rows, places.count) { statement($0, places[$1].0, places[$1].1) }
      }
      let row = row(device)
      let weights = places.map { sum, unit in "w\(sum)_\(unit) = LD(p\(unit) + \(sums[sum].index * row))" }
      return .block(
        """
        \(CCode(lines: (first..<first + units).map { pointer($0, row, device.lanes) }))
        \(grid { "V c\($0)_\($1)_\($2) = LD(sums + \($0 * width + $1 * vectors + $2) * VL);" })
        for (int64_t k = 0; k < H; k++) {
          const V \(weights.joined(separator: ", "));
          \(CCode(lines: (0..<rows).map { row in
            "{ const float s = state[\(row) * OWN + k]; "
              + places.map { "c\(row)_\($0)_\($1) += w\($0)_\($1) * s;" }.joined(separator: " ") + " }"
          }))
          \((first..<first + units).map { "p\($0) += G * \(row);" }.joined(separator: " "))
        }
        \(grid { "ST(sums + \($0 * width + $1 * vectors + $2) * VL, c\($0)_\($1)_\($2));" })
        """
      )
    }.joined()
  }

  /// Declares where the weights of vector `unit` begin.
  private func pointer(_ unit: Int, _ row: Int, _ lanes: Int) -> String {
    let j = unit == 0 ? "j0" : "mlc_min_i64(j0 + \(unit) * VL, HP - VL)"
    let place = row == lanes ? "\(j) * (G * H)" : "\(j) / \(row) * (\(row) * G * H) + \(j) % \(row)"
    return "const float *p\(unit) = w0 + \(place);"
  }
}
