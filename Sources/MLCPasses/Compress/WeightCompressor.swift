import MLCCore
import MLCOps

/// What the chosen steps make of one weight.
struct WeightCompressor {
  let weight: CompressibleWeight
  let steps: ChosenSteps

  /// Throws `Untouched` when the weight cannot have this form.
  func run() throws(Untouched) -> ConstantFragment {
    var data = try WeightData(weight.tensor)
    if let pruning = steps.pruning { try data.prune(pruning) }
    switch steps.form {
    case .palettize(let options): return try Palettizer(data, options, outputAxis: weight.outputAxis).run()
    case .quantize(let options):
      return try LinearQuantizer(data, options, outputAxis: weight.outputAxis, inputAxis: weight.inputAxis).run()
    case .half: return try half(data)
    case .prune, nil: return sparse(data)
    }
  }

  private func sparse(_ data: WeightData) -> ConstantFragment {
    var fragment = ConstantFragment()
    let kept = data.kept(data.values)
    guard let mask = data.maskTensor else { return fragment }
    fragment.append(
      ConstexprSparseToDense(),
      .tensor(data.tensor([kept.count], kept), "nonzero"),
      .tensor(mask, "mask")
    )
    return fragment
  }

  private func half(_ data: WeightData) throws(Untouched) -> ConstantFragment {
    guard data.dtype == .float32 else { throw Untouched("it is fp16 already") }
    guard data.values.allSatisfy({ abs($0) < 65520 }) else { throw Untouched("it leaves the range of fp16") }
    var fragment = ConstantFragment()
    guard let mask = data.maskTensor else {
      let narrow = Tensor(data.shape, floats: data.values).converted(to: .float16)
      fragment.append(ConstexprCast(.float32), .tensor(narrow, "fp16"))
      return fragment
    }
    let kept = data.kept(data.values)
    let narrow = Tensor([kept.count], floats: kept).converted(to: .float16)
    let wide = fragment.append(ConstexprCast(.float32), .tensor(narrow, "fp16"))
    fragment.append(ConstexprSparseToDense(), .result(wide, output: 0), .tensor(mask, "mask"))
    return fragment
  }
}
