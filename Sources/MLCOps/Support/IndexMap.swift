import MLCCore

/// Operators that only move elements say, for each element of the result, which element of the source it is.
package enum IndexMap {
  /// A map entry for positions that no source element fills; any sum with it is negative.
  package static let outside = -(1 << 48)

  /// Source indices row-major over the result, where axis k at position i adds `maps[k][i]`. No axes give `[0]`.
  package static func indices(_ maps: [[Int]]) -> [Int] {
    var result = [0]
    for map in maps {
      var next: [Int] = []
      next.reserveCapacity(result.count * map.count)
      for base in result { for offset in map { next.append(base + offset) } }
      result = next
    }
    return result
  }

  /// Source indices for a transposition: result axis k is source axis `perm[k]`.
  package static func transposing(_ shape: [Int], _ perm: [Int]) -> [Int] {
    let strides = shape.rowMajorStrides
    return indices(perm.map { axis in (0..<shape[axis]).map { $0 * strides[axis] } })
  }

  /// Source indices when axis `axis` takes the positions `positions` and the others stay whole.
  package static func selecting(_ shape: [Int], axis: Int, _ positions: [Int]) -> [Int] {
    let strides = shape.rowMajorStrides
    return indices(
      shape.indices.map { k in (k == axis ? positions : Array(0..<shape[k])).map { $0 * strides[k] } }
    )
  }
}

extension Tensor {
  /// The elements at `indices` under `shape`; negative indices take the one element of `fill`, else zero.
  package func picking(_ indices: [Int], _ shape: [Int], fill: Tensor? = nil) -> Tensor {
    func pick<T: FixedWidthInteger & BitwiseCopyable>(_: T.Type) -> Tensor {
      let other = fill?.withElements(of: T.self) { $0[0] } ?? 0
      return withElements(of: T.self) { source in
        Tensor(dtype, shape) { (out: UnsafeMutableBufferPointer<T>) in
          for (position, index) in indices.enumerated() { out[position] = index < 0 ? other : source[index] }
        }
      }
    }
    switch dtype.bitWidth {
    case 64: return pick(UInt64.self)
    case 32: return pick(UInt32.self)
    case 16: return pick(UInt16.self)
    case 8: return pick(UInt8.self)
    case 0: return Tensor(shape, strings: indices.map { $0 < 0 ? fill?.strings.first ?? "" : strings[$0] })
    default:
      let (values, other) = (codes, fill?.codes.first ?? 0)
      return Tensor(dtype, shape, codes: indices.map { $0 < 0 ? other : values[$0] })
    }
  }
}

extension Tensor {
  /// The elements of all `tensors`, one after the other, as one axis.
  package static func flat(_ tensors: [Tensor]) -> Tensor {
    let (dtype, count) = (tensors[0].dtype, tensors.reduce(0) { $0 + $1.count })
    if tensors.count == 1 { return tensors[0].reshaped([count]) }
    if dtype == .string { return Tensor([count], strings: tensors.flatMap { $0.strings }) }
    if dtype.isPacked { return Tensor(dtype, [count], codes: tensors.flatMap { $0.codes }) }
    let storage = Storage(byteCount: dtype.byteCount(count)!) { out in
      var offset = 0
      for tensor in tensors {
        tensor.withBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: out[offset..<offset + bytes.count]).copyMemory(from: bytes)
          offset += bytes.count
        }
      }
    }
    return Tensor(dtype, [count], storage: storage)!
  }
}
