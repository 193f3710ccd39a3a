/// The matrices of a minimal filtering algorithm F(m×m, 3×3): a tile of m×m outputs is
/// `Aᵀ [(G g Gᵀ) ⊙ (Bᵀ d B)] A` of the filter g and the (m+2)×(m+2) inputs d, and each of the (m+2)² products is summed
/// over the channels before the tile is transformed back.
///
/// Source: A. Lavin and S. Gray, "Fast Algorithms for Convolutional Neural Networks", 2016, sections 4.1 and 4.3.
struct WinogradTransform: Sendable {
  /// Outputs of a tile along an axis.
  let outputs: Int
  /// G, a row for each input of a tile along an axis.
  let filter: [[Double]]
  /// Bᵀ of vectors `d[0]`, …, and Aᵀ of as many: an expression for each result.
  private let input: @Sendable (_ d: [String]) -> [String]
  private let output: @Sendable (_ d: [String]) -> [String]

  /// Inputs of a tile along an axis.
  var inputs: Int { outputs + 2 }
  /// Products of a tile and a channel.
  var products: Int { inputs * inputs }

  /// F(4×4, 3×3), from the points 0, ±1, ±2 and ∞: 2.25 products an output instead of 9.
  static let four = WinogradTransform(
    outputs: 4,
    filter: [
      [1 / 4, 0, 0],
      [-1 / 6, -1 / 6, -1 / 6],
      [-1 / 6, 1 / 6, -1 / 6],
      [1 / 24, 1 / 12, 1 / 6],
      [1 / 24, -1 / 12, 1 / 6],
      [0, 0, 1],
    ],
    input: { d in
      [
        "\(d[0]) * 4.0f - \(d[2]) * 5.0f + \(d[4])",
        "(\(d[4]) - \(d[2]) * 4.0f) + (\(d[3]) - \(d[1]) * 4.0f)",
        "(\(d[4]) - \(d[2]) * 4.0f) - (\(d[3]) - \(d[1]) * 4.0f)",
        "(\(d[4]) - \(d[2])) + (\(d[3]) - \(d[1])) * 2.0f",
        "(\(d[4]) - \(d[2])) - (\(d[3]) - \(d[1])) * 2.0f",
        "\(d[1]) * 4.0f - \(d[3]) * 5.0f + \(d[5])",
      ]
    },
    output: { d in
      [
        "\(d[0]) + (\(d[1]) + \(d[2])) + (\(d[3]) + \(d[4]))",
        "(\(d[1]) - \(d[2])) + (\(d[3]) - \(d[4])) * 2.0f",
        "(\(d[1]) + \(d[2])) + (\(d[3]) + \(d[4])) * 4.0f",
        "(\(d[1]) - \(d[2])) + (\(d[3]) - \(d[4])) * 8.0f + \(d[5])",
      ]
    }
  )

  /// F(2×2, 3×3), from the points 0, ±1 and ∞: 4 products an output.
  static let two = WinogradTransform(
    outputs: 2,
    filter: [[1, 0, 0], [1 / 2, 1 / 2, 1 / 2], [1 / 2, -1 / 2, 1 / 2], [0, 0, 1]],
    input: { d in ["\(d[0]) - \(d[2])", "\(d[1]) + \(d[2])", "\(d[2]) - \(d[1])", "\(d[1]) - \(d[3])"] },
    output: { d in ["\(d[0]) + \(d[1]) + \(d[2])", "\(d[1]) - \(d[2]) - \(d[3])"] }
  )

  /// Declares `t`, an array with Bᵀ d for each column d of a tile, whose rows come from `load`.
  func inputColumns(_ load: (_ row: Int, _ column: Int) -> String) -> CCode {
    columns("t", count: inputs, load, input)
  }

  /// Statements that hand each element of Bᵀ d B to `store`, from the `t` of `inputColumns`.
  func inputRows(_ store: (_ row: Int, _ column: Int, _ value: String) -> String) -> CCode {
    (0..<inputs).map { row in
      let results = input((0..<inputs).map { "t[\(row * inputs + $0)]" })
      return CCode(lines: results.enumerated().map { store(row, $0, $1) })
    }.joined()
  }

  /// Declares `t`, an array with Aᵀ d for each column d of the products, which come from `load`.
  func outputColumns(_ load: (_ row: Int, _ column: Int) -> String) -> CCode {
    columns("t", count: outputs, load, output)
  }

  /// The outputs of `row` of a tile, from the `t` of `outputColumns`.
  func outputs(ofRow row: Int) -> [String] { output((0..<inputs).map { "t[\(row * inputs + $0)]" }) }

  private func columns(
    _ name: String,
    count: Int,
    _ load: (_ row: Int, _ column: Int) -> String,
    _ transform: ([String]) -> [String]
  ) -> CCode {
    let blocks = (0..<inputs).map { column -> CCode in
      let loads = (0..<inputs).map { "const V d\($0) = \(load($0, column));" }
      let results = transform((0..<inputs).map { "d\($0)" }).enumerated().map { row, value in
        "\(name)[\(row * inputs + column)] = \(value);"
      }
      return .block(CCode(lines: loads + results))
    }
    return "V \(name)[\(count * inputs)];" + blocks.joined()
  }

  /// G g Gᵀ of a filter at `g`, 3×3, to every `step`-th element from `u` on.
  func transform(_ g: UnsafePointer<Float>, to u: UnsafeMutablePointer<Float>, step: Int) {
    for (i, row) in filter.enumerated() {
      let half = (0..<3).map { x in row[0] * Double(g[x]) + row[1] * Double(g[3 + x]) + row[2] * Double(g[6 + x]) }
      for (j, column) in filter.enumerated() {
        u[(i * inputs + j) * step] = Float(column[0] * half[0] + column[1] * half[1] + column[2] * half[2])
      }
    }
  }
}
