import MLCCore

/// The tensors of a compressed constant's parts, as kernels that look up single elements read them.
struct CompressedParts: Sendable {
  let constant: CompressedConstant
  let codes: TensorID
  let palette: TensorID?, scale: TensorID?, offset: TensorID?

  /// `nil` for a sparse constant: where its elements lie is known only by counting.
  init?(_ name: String, _ constant: CompressedConstant, in program: inout KernelProgram) {
    guard case .codes(let codes) = constant.elements, constant.dtype.widened == .float32 else { return nil }
    func add(_ suffix: String, _ value: Tensor) -> TensorID {
      program.add(KernelTensor("\(name).\(suffix)", value.dtype, value.type.shape, .constant(value)))
    }
    func add(_ suffix: String, _ blocks: BlockValues?) -> TensorID? {
      blocks.map { add(suffix, Tensor($0.grid + ($0.width == 1 ? [] : [$0.width]), floats: $0.values)) }
    }
    self.constant = constant
    self.codes = add("codes", codes)
    palette = add("palette", constant.palette)
    scale = add("scale", constant.scale)
    offset = add("offset", constant.offset)
  }

  /// The element at `index` as an expression over `params`, which grows by what it reads.
  func element(at index: [Index], _ params: inout [Kernel.Param]) -> Scalar {
    func read(_ tensor: TensorID) -> Int {
      if let known = params.firstIndex(where: { $0.tensor == tensor }) { return known }
      params.append(Kernel.Param(tensor, .read))
      return params.count - 1
    }
    let code = Scalar.load(param: read(codes), index)
    var value = Scalar.cast(code, .float32)
    if let palette, let blocks = constant.palette {
      value = .load(param: read(palette), block(index, blocks) + [.value(.cast(code, .int64))])
    }
    if let offset, let blocks = constant.offset { value = value - .load(param: read(offset), block(index, blocks)) }
    if let scale, let blocks = constant.scale { value = value * .load(param: read(scale), block(index, blocks)) }
    return value
  }

  private func block(_ index: [Index], _ blocks: BlockValues) -> [Index] {
    index.indices.map { axis in
      blocks.grid[axis] == 1
        ? .constant(0) : index[axis].dividedFloor(by: Dim(constant.shape[axis] / blocks.grid[axis]))
    }
  }
}
