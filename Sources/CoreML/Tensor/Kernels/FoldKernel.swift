import CMLCTensor

/// Folds neighbouring axes. Which elements are folded together first depends on the shape alone, so that results are
/// the same on any number of threads.
struct FoldKernel: TensorKernel {
  enum Kind: Sendable { case sum, mean, product, min, max, all, any }

  let kind: Kind
  let axes: Range<Int>

  /// Elements that one thread folds in one go, and columns side by side.
  private static let (chunk, columns) = (1 << 17, 512)

  private var fold: mlct_fold {
    switch kind {
    case .sum, .mean: MLCT_FOLD_SUM
    case .product: MLCT_FOLD_PRODUCT
    case .min, .all: MLCT_FOLD_MIN
    case .max, .any: MLCT_FOLD_MAX
    }
  }

  func run(_ inputs: [TensorValue], _ output: TensorValue) {
    let source = inputs[0]
    let outer = source.shape[..<axes.lowerBound].reduce(1, *)
    let count = source.shape[axes].reduce(1, *)
    let inner = source.shape[axes.upperBound...].reduce(1, *)
    let rows = max(Self.chunk / inner, 64)
    let chunks = max((count + rows - 1) / rows, 1)
    let tiles = (inner + Self.columns - 1) / Self.columns
    let partialCount = outer * chunks * inner
    let partials = UnsafeMutablePointer<mlct_partial>.allocate(capacity: partialCount)
    defer { partials.deallocate() }
    nonisolated(unsafe) let target = partials  // parts are apart
    let (fold, kernels, type) = (fold, Parallel.kernels, source.kind.code)
    let each = max(min(rows, count) * min(inner, Self.columns), 1)
    Parallel.run(outer * chunks * tiles, grain: max((1 << 15) / each, 1)) { part in
      for index in part {
        let (piece, tile) = index.quotientAndRemainder(dividingBy: tiles)
        let (group, chunk) = piece.quotientAndRemainder(dividingBy: chunks)
        let (first, column) = (chunk * rows, tile * Self.columns)
        let from = source.element((group * count + first) * inner + column)
        let (height, width) = (min(rows, count - first), min(Self.columns, inner - column))
        kernels.fold(fold, type, from, height, width, inner, target + piece * inner + column)
      }
    }
    Parallel.run(outer * inner, grain: 1 << 13) { part in
      for index in part {
        let (group, column) = index.quotientAndRemainder(dividingBy: inner)
        let first = target + group * chunks * inner + column
        let total = (1..<chunks).reduce(first.pointee) { combined($0, first[$1 * inner], source.kind.isFloat) }
        store(total, of: count, output, index)
      }
    }
  }

  private func combined(_ a: mlct_partial, _ b: mlct_partial, _ isFloat: Bool) -> mlct_partial {
    switch kind {
    case .sum, .mean: isFloat ? mlct_partial(real: a.real + b.real) : mlct_partial(whole: a.whole &+ b.whole)
    case .product: isFloat ? mlct_partial(real: a.real * b.real) : mlct_partial(whole: a.whole &* b.whole)
    case .min, .all:
      isFloat
        ? mlct_partial(real: a.real < b.real || a.real.isNaN ? a.real : b.real)
        : mlct_partial(whole: Swift.min(a.whole, b.whole))
    case .max, .any:
      isFloat
        ? mlct_partial(real: a.real > b.real || a.real.isNaN ? a.real : b.real)
        : mlct_partial(whole: Swift.max(a.whole, b.whole))
    }
  }

  private func store(_ total: mlct_partial, of count: Int, _ output: TensorValue, _ index: Int) {
    let place = output.element(index)
    if output.kind.isFloat {
      let real = kind == .mean ? total.real / Double(count) : total.real
      if output.kind == .float32 {
        place.storeBytes(of: Float(real), as: Float.self)
      } else {
        place.storeBytes(of: Float16(real), as: Float16.self)
      }
      return
    }
    var whole = kind == .mean ? (count == 0 ? 0 : total.whole / Int64(count)) : total.whole
    if output.kind == .bool, count == 0 { whole = kind == .all ? 1 : 0 }
    switch output.kind.width {
    case 4: place.storeBytes(of: UInt32(truncatingIfNeeded: whole), as: UInt32.self)
    case 2: place.storeBytes(of: UInt16(truncatingIfNeeded: whole), as: UInt16.self)
    default: place.storeBytes(of: UInt8(truncatingIfNeeded: whole), as: UInt8.self)
    }
  }
}
