import MLCCore
import MLCGraph

/// `indices` counted from the front on an axis of `extent`. Throws `OP.index` for one outside `-extent..<extent`.
package func checkedIndices(_ indices: [Int], _ extent: Int, _ op: String) throws(Diagnostic) -> [Int] {
  var result = indices
  for (position, index) in indices.enumerated() {
    guard index >= -extent, index < extent else {
      throw Diagnostic(.init("\(op).index"), "index \(index) is outside an extent of \(extent)")
    }
    if index < 0 { result[position] = index + extent }
  }
  return result
}

/// For each element that `indices: int[*D]` of the other axes names along `axis`, where it is in a tensor of `shape`;
/// the coordinates on the other axes are those of the index. Throws `OP.index`.
package func positionsAlongAxis(_ shape: [Int], _ indices: Tensor, _ axis: Int, _ op: String) throws(Diagnostic)
  -> [Int]
{
  let chosen = try checkedIndices(indices.integers, shape[axis], op)
  let strides = shape.rowMajorStrides
  let rest = IndexMap.indices(
    indices.shape.enumerated().map { k, extent in (0..<extent).map { k == axis ? 0 : $0 * strides[k] } }
  )
  return zip(rest, chosen).map { $0 + $1 * strides[axis] }
}

/// Where each slice that the rows of `indices: int[*B, *D, n]` name begins in a tensor of `shape`, the first `batch`
/// axes going along. Throws `OP.index`.
package func slicePositionsND(_ shape: [Int], _ indices: Tensor, batch: Int, _ op: String) throws(Diagnostic) -> [Int] {
  let depth = indices.shape[indices.rank - 1]
  let strides = shape.rowMajorStrides
  let rows = indices.shape.dropLast().reduce(1, *)
  let batches = shape[..<batch].reduce(1, *)
  let batchLength = shape[batch...].reduce(1, *)
  let numbers = indices.integers
  var result: [Int] = []
  for row in 0..<rows {
    var position = row / max(1, rows / max(1, batches)) * batchLength
    for k in 0..<depth {
      let (index, extent) = (numbers[row * depth + k], shape[batch + k])
      guard index >= -extent, index < extent else {
        throw Diagnostic(.init("\(op).index"), "index \(index) is outside an extent of \(extent)")
      }
      position += (index < 0 ? index + extent : index) * strides[batch + k]
    }
    result.append(position)
  }
  return result
}
