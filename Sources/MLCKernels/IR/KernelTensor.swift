import MLCCore

/// A tensor by its number in a `KernelProgram`.
package struct TensorID: Hashable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
}

/// How a tensor's elements lie in memory.
package enum Layout: Hashable, Sendable {
  /// Row-major over the logical shape.
  case plain
  /// `NCHWc`: rank 4 `[N, C, H, W]` stored as `[N][⌈C/c⌉][top + H + bottom][left + W + right][c]`, and rank 5
  /// `[N, C, D, H, W]` with `[D]` planes between blocks and rows. Lanes past `C` hold zeros, of bytes anything, and the
  /// halo holds `fill`.
  case blocked(Blocked)

  package struct Blocked: Hashable, Sendable {
    /// Of the tensors that may lie so.
    package static let ranks = 4...5
    package var block: Int
    /// Rows and columns around each plane.
    package var top, bottom, left, right: Int
    /// The element that they are made of; 0 unless elements are bytes.
    package var fill: Int
    package init(block: Int, top: Int = 0, bottom: Int = 0, left: Int = 0, right: Int = 0, fill: Int = 0) {
      (self.block, self.top, self.bottom, self.left, self.right) = (block, top, bottom, left, right)
      self.fill = fill
    }
  }
}

/// A value that kernels read or write.
package struct KernelTensor: Sendable {
  package enum Kind: Sendable {
    /// The function's input or output by position: plain, in the caller's memory.
    case input(Int)
    case output(Int)
    /// Known at compile time. Strategies may pack it (`PackedConstant`).
    case constant(Tensor)
    /// Known at compile time and kept in fewer bits; the element type is the one that it stands for.
    case compressed(CompressedConstant)
    /// In the arena.
    case temporary
    /// The elements of another tensor under this shape: both plain, equally many elements.
    case alias(of: TensorID)
  }
  package var name: String
  package var dtype: DType
  package var shape: [Dim]
  package var kind: Kind
  package var layout: Layout = .plain

  package init(_ name: String, _ dtype: DType, _ shape: [Dim], _ kind: Kind) {
    (self.name, self.dtype, self.shape, self.kind) = (name, dtype, shape, kind)
  }

  package var type: TensorType { TensorType(dtype, shape) }

  /// Whether its elements are known at compile time, in full or compressed.
  package var isConstant: Bool {
    switch kind {
    case .constant, .compressed: true
    case .input, .output, .temporary, .alias: false
    }
  }

  /// Bytes that sums of neighbouring bytes may read past the last one of a blocked tensor.
  package static let overread = 64

  /// Planes of rows and columns that a channel has.
  package var depth: Dim { shape.dropFirst(2).dropLast(2).reduce(1, *) }
  /// Of each plane.
  package var rows: Dim { shape[shape.count - 2] }
  package var columns: Dim { shape[shape.count - 1] }

  /// Elements in memory, padding included.
  package var storedElements: Dim {
    switch layout {
    case .plain: return shape.reduce(1, *)
    case .blocked(let b):
      let (rows, columns) = (self.rows + Dim(b.top + b.bottom), self.columns + Dim(b.left + b.right))
      let planes = shape[0] * shape[1].ceilDiv(Dim(b.block)) * depth
      let elements = planes * rows * columns * Dim(b.block)
      return dtype.bitWidth == 8 ? elements + Dim(KernelTensor.overread) : elements
    }
  }
}
