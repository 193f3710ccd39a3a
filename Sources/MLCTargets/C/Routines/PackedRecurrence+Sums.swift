import MLCKernels

extension PackedRecurrence {
  /// The sum called `name`: what lies at `start` and the state times the weights of gate `index`, counted as packed.
  struct Gate {
    let name: String
    let index: Int
    let start: String
  }

  /// Units from one row of a gate's weights to the next one's.
  func row(_ device: DeviceDescription) -> Int {
    switch weights {
    case .plain: WeightStrips.width
    case .compressed: device.lanes
    }
  }

  /// The sums `gates` of all units, by the state `h`, and `then` for each vector of units: there `j` is the first one,
  /// `part` how many there are, and each sum goes by its name.
  ///
  /// Two vectors at a time read whole rows of weights where a row is two vectors.
  func sums(_ gates: [Gate], by h: String, on device: DeviceDescription, then: CCode) -> CCode {
    let units = Swift.min(row(device) / device.lanes, 2)
    let starts = (0..<units).map { unit -> CCode in
      """
      const int64_t j\(unit) = first + \(unit) * VL, part\(unit) = mlc_max_i64(0, mlc_min_i64(VL, H - j\(unit)));
      \(CCode(lines: gates.map { "V \($0.name)\(unit) = mlc_ld_part(\($0.start) + j\(unit), part\(unit));" }))
      """
    }
    let products = CCode.grid(gates.count, units) { gate, unit in
      "\(gates[gate].name)\(unit) += LD(w + \(gates[gate].index) * R + \(unit) * VL) * state;"
    }
    let results = (0..<units).map { unit -> CCode in
      let names = gates.map { "\($0.name) = \($0.name)\(unit)" }.joined(separator: ", ")
      return .block("const int64_t j = j\(unit), part = part\(unit);\nV \(names);" + then)
    }
    return .block(
      "for (int64_t first = 0; first < H; first += \(units) * VL)",
      """
      const float *w = w0 + first / R * (R * G * H) + first % R;
      \(starts.joined())
      for (int64_t k = 0; k < H; k++, w += G * R) {
        const float state = \(h)[k];
        \(products)
      }
      \(results.joined())
      """
    )
  }
}
