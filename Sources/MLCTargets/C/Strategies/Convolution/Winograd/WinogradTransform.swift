import MLCCore

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

  /// F(4×4, 3×3), from the points 0, ±c, ±1/c and ∞ with c = 3/2: 2.25 products an output instead of 9. Of these
  /// points c = 3/2 gives the least error, less than half of that from 0, ±1, ±2 and ∞.
  ///
  /// Source of the form: S. A. Alam, A. Anderson, B. Barabasz and D. Gregg, "Winograd Convolution for Deep Neural
  /// Networks: Efficient Point Selection", 2022.
  static let four: WinogradTransform = {
    let c = 1.5
    let (a, b) = (c * c, 1 / (c * c))
    func spell(_ x: Double) -> String { ScalarSpeller.literal(x, .float32) }
    let (c1, c2, c3, sum) = (spell(c), spell(a), spell(a * c), spell(a + b))
    let (i1, i2, i3) = (spell(1 / c), spell(b), spell(b / c))
    func filter(_ point: Double, _ other: Double) -> [Double] {
      let square = point * point
      return [1, point, square].map { $0 / (2 * square * (square - other)) }
    }
    return WinogradTransform(
      outputs: 4,
      filter: [[1, 0, 0], filter(c, b), filter(-c, b), filter(1 / c, a), filter(-1 / c, a), [0, 0, 1]],
      input: { d in
        [
          "\(d[0]) - \(d[2]) * \(sum) + \(d[4])",
          "(\(d[4]) - \(d[2]) * \(i2)) + (\(d[3]) - \(d[1]) * \(i2)) * \(c1)",
          "(\(d[4]) - \(d[2]) * \(i2)) - (\(d[3]) - \(d[1]) * \(i2)) * \(c1)",
          "(\(d[4]) - \(d[2]) * \(c2)) + (\(d[3]) - \(d[1]) * \(c2)) * \(i1)",
          "(\(d[4]) - \(d[2]) * \(c2)) - (\(d[3]) - \(d[1]) * \(c2)) * \(i1)",
          "\(d[1]) - \(d[3]) * \(sum) + \(d[5])",
        ]
      },
      output: { d in
        [
          "\(d[0]) + (\(d[1]) + \(d[2])) + (\(d[3]) + \(d[4]))",
          "(\(d[1]) - \(d[2])) * \(c1) + (\(d[3]) - \(d[4])) * \(i1)",
          "(\(d[1]) + \(d[2])) * \(c2) + (\(d[3]) + \(d[4])) * \(i2)",
          "(\(d[1]) - \(d[2])) * \(c3) + (\(d[3]) - \(d[4])) * \(i3) + \(d[5])",
        ]
      }
    )
  }()

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
