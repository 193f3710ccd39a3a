/// Weights laid out alike for vectors of several widths: `[strip][step][width]`, where a column (a filter, or a column
/// of a product) c is lane c % width of strip c / width, and a step is one product of its sum.
///
/// Lanes past the last column are zero.
package struct WeightStrips: Equatable {
  let columns: Int, steps: Int, width: Int

  package init(columns: Int, steps: Int, width: Int) {
    (self.columns, self.steps, self.width) = (columns, steps, width)
  }

  package var count: Int { (columns + width - 1) / width }
  /// Elements from one strip to the next.
  var stride: Int { steps * width }

  /// The element of `column` at `step`.
  package func place(column: Int, step: Int) -> Int { column / width * stride + step * width + column % width }

  /// A C expression for the element of column `column` at step 0. Past the end it lies in the last strip where
  /// `mayOverrun`.
  package func start(_ column: String, mayOverrun: Bool) -> String {
    let strip = "(\(column)) / \(width)"
    let inside = mayOverrun ? "mlc_min_i64(\(strip), \(max(count - 1, 0)))" : strip
    return "\(inside) * \(stride) + (\(column)) % \(width)"
  }
}
