import MLCCore
import MLCKernels

extension GemmProblem {
  /// The same product with k counted in words of four bytes, the constant as such words `[n][k]`; `nil` where k is no
  /// multiple of four, rows have gaps, or there is no constant matrix.
  func inWords() -> GemmProblem? {
    let (n, k) = (matmul.n, matmul.k)
    guard let constant, let columns = n.extent.constant, let depth = k.extent.constant, depth.isMultiple(of: 4),
      depth > 0, lhs.stride(k) == 1, matmul.batch.allSatisfy({ rhs.stride($0) == 0 }),
      let strideN = rhs.stride(n).constant, let strideK = rhs.stride(k).constant, rhs.offset == 0,
      constant.count == columns * depth, strideN >= 0, strideK >= 0,
      max(columns - 1, 0) * strideN + (depth - 1) * strideK < constant.count
    else { return nil }
    var words = [Int](repeating: 0, count: columns * depth / 4)
    constant.withElements(of: Int8.self) { bytes in
      for column in 0..<columns {
        for step in 0..<depth {
          let byte = Int(UInt8(bitPattern: bytes[column * strideN + step * strideK]))
          words[(column * depth + step) / 4] |= byte << (step % 4 * 8)
        }
      }
    }
    var result = self
    result.matmul.k.extent = Dim(depth / 4)
    result.constant = Tensor(.int32, [columns, depth / 4], words)
    guard let access = LinearAccess([.axis(n.id), .axis(k.id)], shape: [Dim(columns), Dim(depth / 4)]) else {
      return nil
    }
    result.rhs = access
    return result
  }

  /// What holds sums.
  var sumType: LaneType { LaneType(sumElement)! }
  /// How many registers hold a vector of them.
  var registers: Int { sumElement.bitWidth / 32 }
}
