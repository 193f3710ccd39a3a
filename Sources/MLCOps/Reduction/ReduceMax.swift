import MLCCore
import MLCGraph

/// `y = max x` over `axes`; over no elements the least value of the type (−∞). NaN spreads.
/// Source: MIL `reduce_max`, ONNX `ReduceMax`.
package struct ReduceMax: Reduction {
  package var axes: [Int] = []
  package var keepDims = false

  package static let schema = Schema<ReduceMax>("reduce_max", clauses())
  package init() {}
  package static var takesBool: Bool { true }

  package func reduce(_ row: UnsafeBufferPointer<Double>) -> Double {
    row.reduce(-.infinity) { $0.isNaN || $0 > $1 ? $0 : $1 }
  }
  package func reduce(_ row: UnsafeBufferPointer<Int>, _ dtype: DType) -> Int? {
    row.reduce(dtype.integerBounds.low) { dtype.isLess($0, $1) ? $1 : $0 }
  }
  package func reduce(_ row: [Dim]) -> Dim? {
    row.isEmpty ? nil : row.dropFirst().reduce(row[0], Dim.max)
  }
}
