import MLCCore
import ONNXProto

/// How many bytes the sparse tensors of one file may still expand to: a few bytes of file claim any amount of memory.
///
/// A reader uses it from one thread.
final class ONNXExpansion {
  private var left = 1 << 28
  private let budget: Budget

  init(budget: Budget) { self.budget = budget }

  /// Whether `count` elements of `width` bytes may be allocated; if so they are taken off.
  func take(_ count: Int, _ width: Int) -> Bool {
    guard width > 0, count <= left / width, budget.takeConstant(count * width, for: .init()) else { return false }
    left -= count * width
    return true
  }
}

extension ONNXReader {
  /// A sparse tensor made dense, zero where no value is given. Throws `onnx.sparse-tensor` for indices that do not fit
  /// the shape or the values, for packed and string elements, and when a file's expand to more than 256 MiB
  /// or than the budget of constants.
  func sparseTensor(_ proto: Onnx_SparseTensorProto) throws(Diagnostic) -> Tensor {
    let values = try tensor(proto.values)
    let indices = try tensor(proto.indices)
    let name = "sparse tensor '\(proto.values.name)'"
    let shape = proto.dims.map(Int.init)
    let count = try Self.checkedCount(values.dtype, shape, name)
    let width = values.dtype.bitWidth / 8
    let positions = try positions(indices, shape, values.count, count, name)
    guard expansion.take(count, width) else {
      throw Diagnostic("onnx.sparse-tensor", "\(name) cannot be made dense", kind: .unsupported)
    }
    let storage = Storage(byteCount: count * width) { memory in
      values.withBytes { bytes in
        for (source, target) in positions.enumerated() {
          let element = UnsafeRawBufferPointer(rebasing: bytes[source * width..<(source + 1) * width])
          UnsafeMutableRawBufferPointer(rebasing: memory[target * width..<(target + 1) * width])
            .copyMemory(from: element)
        }
      }
    }
    return Tensor(values.dtype, shape, storage: storage)!
  }

  /// Row-major positions of the values, from `[n]` positions or `[n, rank]` coordinates.
  private func positions(
    _ indices: Tensor,
    _ shape: [Int],
    _ valueCount: Int,
    _ count: Int,
    _ name: String
  ) throws(Diagnostic) -> [Int] {
    let wrong = Diagnostic("onnx.sparse-tensor", "\(name) has indices that do not fit its values and shape")
    guard indices.dtype == .int64 else { throw wrong }
    let numbers = indices.integers
    if indices.shape == [valueCount] {
      guard numbers.allSatisfy({ (0..<count).contains($0) }) else { throw wrong }
      return numbers
    }
    guard indices.shape == [valueCount, shape.count] else { throw wrong }
    let strides = shape.rowMajorStrides
    var positions: [Int] = []
    for row in 0..<valueCount {
      var position = 0
      for axis in shape.indices {
        let index = numbers[row * shape.count + axis]
        guard (0..<shape[axis]).contains(index) else { throw wrong }
        position += index * strides[axis]
      }
      positions.append(position)
    }
    return positions
  }
}
