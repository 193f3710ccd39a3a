import MLCCore

extension CompressedConstant {
  /// `parts` one after the other along a new first axis; `nil` unless they have one shape, form and cut into blocks.
  static func stacked(_ parts: [CompressedConstant]) -> CompressedConstant? {
    guard let first = parts.first, parts.allSatisfy({ $0.shape == first.shape && $0.dtype == first.dtype }),
      let elements = stacked(parts.map { $0.elements })
    else { return nil }
    var result = CompressedConstant(first.dtype, [parts.count] + first.shape, elements)
    for path in [\CompressedConstant.palette, \.scale, \.offset] {
      let values = parts.compactMap { $0[keyPath: path] }
      guard let one = values.first else { continue }
      guard values.count == parts.count, values.allSatisfy({ $0.grid == one.grid && $0.width == one.width }) else {
        return nil
      }
      let all = values.flatMap { $0.values }
      result[keyPath: path] = BlockValues(grid: [parts.count] + one.grid, values: all, width: one.width)
    }
    return result
  }

  private static func stacked(_ parts: [Elements]) -> Elements? {
    var (codes, values, masks): ([Tensor], [Tensor], [Tensor]) = ([], [], [])
    for part in parts {
      switch part {
      case .codes(let tensor): codes.append(tensor)
      case .sparse(let tensor, let mask):
        values.append(tensor)
        masks.append(mask)
      }
    }
    func joined(_ tensors: [Tensor]) -> Tensor {
      Tensor(tensors[0].dtype, [tensors.count] + tensors[0].shape, codes: tensors.flatMap { $0.codes })
    }
    if codes.count == parts.count {
      return codes.allSatisfy { $0.dtype == codes[0].dtype } ? .codes(joined(codes)) : nil
    }
    guard values.count == parts.count else { return nil }
    let all = values.flatMap { $0.floats }
    return .sparse(Tensor([all.count], floats: all), mask: joined(masks))
  }
}
