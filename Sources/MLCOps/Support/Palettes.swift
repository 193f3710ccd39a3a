import MLCCore
import MLCGraph

/// Look-up tables `lut: T[*G, 2ⁿ, V]` for blocks of a tensor of indices: G cuts the indices into equal blocks, each
/// with a table of its own, and every index stands for V elements along one axis.
struct Palettes {
  let grid: BlockGrid
  let entries: Int, vector: Int
  /// The axis of the vectors, 0 when V is 1.
  let axis: Int
  /// Of what is looked up.
  let shape: [Int]

  /// Throws `constexpr.palette` when the table does not fit the indices, `constexpr.blocks`, and `OP.axis`.
  init(_ indices: [Int], _ dtype: DType, lut: [Int], vectorAxis: Int?, _ op: String) throws(Diagnostic) {
    guard lut.count == indices.count + 2, lut[indices.count] == 1 << dtype.bitWidth, lut[indices.count + 1] > 0 else {
      let index = TensorType(dtype, indices)
      throw Diagnostic("constexpr.palette", "a table of \(lut) does not fit indices \(index)")
    }
    guard let total = lut.checkedProduct, total <= Int(Int32.max) else {
      throw Diagnostic("constexpr.palette", "a table of \(lut) is larger than any may be")
    }
    grid = try BlockGrid(indices, grid: Array(lut.prefix(indices.count)))
    (entries, vector) = (lut[indices.count], lut[indices.count + 1])
    guard vector > 1 else {
      (axis, shape) = (0, indices)
      return
    }
    guard let vectorAxis else {
      throw Diagnostic("constexpr.palette", "entries of \(vector) elements need a vector_axis")
    }
    axis = try normalized(axis: vectorAxis, rank: indices.count, op)
    var shape = indices
    let (extent, overflow) = shape[axis].multipliedReportingOverflow(by: vector)
    shape[axis] = extent
    guard !overflow, shape.checkedProduct != nil else {
      throw Diagnostic("constexpr.palette", "vectors of \(vector) elements make the constant too large")
    }
    self.shape = shape
  }

  /// For each element of the result the place of its value in `lut`.
  func places(_ codes: [UInt8]) -> [Int32] {
    var result = [Int32](repeating: 0, count: codes.count * vector)
    let inner = grid.shape.isEmpty ? 1 : grid.shape[(axis + 1)...].reduce(1, *)
    result.withUnsafeMutableBufferPointer { result in
      codes.withUnsafeBufferPointer { codes in
        grid.forEachRun { range, block in
          let base = block * entries
          for index in range {
            let entry = (base + Int(codes[index])) * vector
            // Element (outer, along, rest) becomes V elements `inner` apart.
            let start = (index / inner) * inner * vector + index % inner
            for k in 0..<vector { result[start + k * inner] = Int32(truncatingIfNeeded: entry + k) }
          }
        }
      }
    }
    return result
  }
}

extension Tensor {
  /// The elements at `places`, bit for bit. Elements are a byte or wider.
  func picking(_ places: [Int32], _ shape: [Int]) -> Tensor {
    func picked<T: BitwiseCopyable>(_: T.Type) -> Tensor {
      Tensor(dtype, shape) { (out: UnsafeMutableBufferPointer<T>) in
        withElements(of: T.self) { source in
          for index in places.indices { out[index] = source[Int(places[index])] }
        }
      }
    }
    switch dtype.bitWidth {
    case 64: return picked(UInt64.self)
    case 32: return picked(UInt32.self)
    case 16: return picked(UInt16.self)
    default: return picked(UInt8.self)
    }
  }

  /// `self: T[N]` at the places where `mask` is 1, zeros elsewhere.
  func scattered(_ mask: [UInt8], _ shape: [Int]) -> Tensor {
    func spread<T: BitwiseCopyable>(_: T.Type) -> Tensor {
      Tensor(dtype, shape) { (out: UnsafeMutableBufferPointer<T>) in
        withElements(of: T.self) { source in
          var next = 0
          for index in mask.indices where mask[index] != 0 {
            out[index] = source[next]
            next += 1
          }
        }
      }
    }
    switch dtype.bitWidth {
    case 64: return spread(UInt64.self)
    case 32: return spread(UInt32.self)
    case 16: return spread(UInt16.self)
    default:
      let source = codes
      var (result, next) = ([UInt8](repeating: 0, count: mask.count), 0)
      for index in mask.indices where mask[index] != 0 {
        result[index] = source[next]
        next += 1
      }
      return Tensor(dtype, shape, codes: result)
    }
  }
}
