import MLCCore

extension Kernel {
  /// What a contraction computes, names and values of constants aside: equal ones cost the same on a machine. A text
  /// that people recognise, `convolution fp32[1, 64, 56, 56]`, and a digest of everything else. `nil` for other
  /// kernels.
  package func problem(in program: KernelProgram) -> String? {
    let form: String
    switch body {
    case .matmul(let matmul): form = "\(matmul)"
    case .convolution(let convolution): form = "\(convolution)"
    case .attention(let attention): form = "\(attention)"
    case .loopNest, .routine: return nil
    }
    let operands = params.map { param in
      let tensor = program[param.tensor]
      return "\(tensor.type) \(tensor.layout) \(program.kindForTuning(param.tensor)) \(param.access)"
    }
    let results = results(in: program).map { $0.description }.joined(separator: ", ")
    let digest = SHA256.hexDigest(([form] + operands).joined(separator: "\n"))
    return "\(kind) \(results) \(digest.prefix(16))"
  }
}

extension KernelProgram {
  /// Whether strategies know the tensor's elements, and how they are stored.
  fileprivate func kindForTuning(_ id: TensorID) -> String {
    switch self[root(id)].kind {
    case .constant: "constant"
    case .compressed(let codes): "codes of \(codes.byteCount) bytes"
    case .input, .output, .temporary, .alias: "memory"
    }
  }
}
