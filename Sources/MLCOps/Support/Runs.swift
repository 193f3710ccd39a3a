import MLCCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

func exponential(_ x: Double) -> Double { exp(x) }
func logarithm(_ x: Double) -> Double { log(x) }
func hyperbolicTangent(_ x: Double) -> Double { tanh(x) }
func errorFunction(_ x: Double) -> Double { erf(x) }
func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }

extension Tensor {
  /// Rewrites each run of elements along `axis` in doubles; the result rounds once to this element type.
  func mappingRuns(along axis: Int, _ body: (UnsafeMutableBufferPointer<Double>) -> Void) -> Tensor {
    var values = doubles
    let length = shape[axis]
    let step = shape[(axis + 1)...].reduce(1, *)
    guard !values.isEmpty else { return self }
    values.withUnsafeMutableBufferPointer { values in
      withUnsafeTemporaryAllocation(of: Double.self, capacity: length) { run in
        for outer in 0..<values.count / (length * step) {
          for inner in 0..<step {
            let base = outer * length * step + inner
            for k in 0..<length { run.initializeElement(at: k, to: values[base + k * step]) }
            body(run)
            for k in 0..<length { values[base + k * step] = run[k] }
          }
        }
      }
    }
    return Tensor(dtype, shape, values)
  }
}
