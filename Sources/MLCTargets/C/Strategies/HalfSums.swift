import MLCKernels

/// Spells sums that are formed in float16 for some steps, two vectors of float32 sums in a register, and then added to
/// those. Names of sums lack the last part, `_<register>`.
///
/// Four steps are taken at once: four neighbours of the operand that is the same in all lanes are one load, and
/// instructions multiply by one lane of a vector.
struct HalfSums {
  /// Vectors of float32 sums.
  let vectors: Int

  var registers: Int { (vectors + 1) / 2 }

  /// Steps that are taken at once.
  static let stride = 4

  /// Registers that are neither sums nor weights: factors, and what lets instructions change their order.
  static let spare = 3

  func declaration(_ sums: String) -> String {
    "VHH " + (0..<registers).map { "\(sums)_\($0) = {}" }.joined(separator: ", ") + ";"
  }

  /// One step or four: `count`. `rows` has, of each row of the operand that is the same in all lanes, where its first
  /// step lies and the name of the sums that each step is added to; `weights` spells where a vector of weights of a
  /// step lies.
  func steps(
    _ count: Int,
    _ rows: [(address: String, sums: (_ step: Int) -> String)],
    weights: (_ step: Int, _ vector: Int) -> String
  ) -> CCode {
    let loads = (0..<count).flatMap { step in
      (0..<registers).map { "const VHH w\(step)_\($0) = \(load($0, weights(step, 2 * $0)));" }
    }
    let type = count == 1 ? "uint16_t" : "mlc_four"
    let products = rows.map { address, sums in
      let lines = (0..<count).flatMap { step in
        let factor = count == 1 ? "other" : "other[\(step)]"
        return (0..<registers).map { register in
          let sum = "\(sums(step))_\(register)"
          return "\(sum) = mlc_fma_hh(\(sum), w\(step)_\(register), mlc_splat_hh(\(factor)));"
        }
      }
      return "{ const \(type) other = *(const \(type) *)(\(address)); \(lines.joined(separator: " ")) }"
    }
    return CCode(lines: loads + products)
  }

  /// The weights of `register` from `address` on; where the number of vectors is odd, the last one has those of one.
  private func load(_ register: Int, _ address: String) -> String {
    "mlc_ld_\(2 * register + 1 < vectors ? "hh" : "h0")(\(address))"
  }

  /// Adds float16 sums to those of float32.
  func addition(_ sums: String, to wide: (_ vector: Int) -> String) -> String {
    (0..<vectors).map { "\(wide($0)) += mlc_\($0 % 2 == 0 ? "low" : "high")_hh(\(sums)_\($0 / 2));" }
      .joined(separator: " ")
  }

  func reset(_ sums: String) -> String {
    (0..<registers).map { "\(sums)_\($0) = (VHH){};" }.joined(separator: " ")
  }
}
