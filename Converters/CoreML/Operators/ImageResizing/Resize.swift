import MLCCore
import MLCGraph
import MLCOps

extension Resize: MILSpelled {
  /// MIL's resampling operators, where one computes the same: whole-number nearest, and bilinear to fixed extents.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    guard let x = context.fact("x")?.type.staticShape, let y = context.result().type.staticShape, x.count == 4,
      x[0] == y[0], x[1] == y[1], aspectPolicy == "stretch", !excludeOutside, context.fact("roi") == nil || !usesRegion
    else { return call.block("Core ML resizes the last two of four axes of a fixed shape") }
    guard scalesAreExact(context, x, y) else { return call.block("its scale is not the ratio of the extents") }
    call.operands = call.operands.filter { $0.name == "x" }
    call.parameters = []
    switch mode {
    case "nearest":
      let factors = (2..<4).map { y[$0] % max(1, x[$0]) == 0 ? y[$0] / max(1, x[$0]) : 0 }
      guard factors.allSatisfy({ $0 > 0 }), isReplication else { return spellNearest(&call, y) }
      call.type = "upsample_nearest_neighbor"
      call["scale_factor_height"] = .int(factors[0])
      call["scale_factor_width"] = .int(factors[1])
    case "linear":
      guard let sampling = bilinearSampling(y) else {
        return call.block("Core ML's resize_bilinear has no '\(coordinateMode)'")
      }
      call.type = "resize_bilinear"
      call["target_size_height"] = .int(y[2])
      call["target_size_width"] = .int(y[3])
      call["sampling_mode"] = .string(sampling)
    default: call.block("Core ML has no mode '\(mode)'")
    }
  }

  /// To any extents by the rule ⌊o · S / S′⌋.
  private func spellNearest(_ call: inout MILCall, _ y: [Int]) {
    guard coordinateMode == "asymmetric", nearestMode == "floor" else {
      return call.block("Core ML has this nearest rule for whole-number factors only")
    }
    call.type = "resize_nearest_neighbor"
    call["target_size_height"] = .int(y[2])
    call["target_size_width"] = .int(y[3])
  }

  private var usesRegion: Bool { coordinateMode == "tf_crop_and_resize" }

  /// Whether a whole-number factor copies each element that often.
  private var isReplication: Bool {
    switch coordinateMode {
    case "asymmetric": nearestMode == "floor"
    case "half_pixel", "pytorch_half_pixel", "half_pixel_symmetric": nearestMode.hasPrefix("round_prefer")
    default: false
    }
  }

  private func bilinearSampling(_ y: [Int]) -> String? {
    switch coordinateMode {
    case "half_pixel": "UNALIGN_CORNERS"
    case "pytorch_half_pixel": y[2] > 1 && y[3] > 1 ? "UNALIGN_CORNERS" : nil
    case "asymmetric": "DEFAULT"
    case "align_corners": "STRICT_ALIGN_CORNERS"
    default: nil
    }
  }

  /// MIL takes the ratio of the extents for the scale.
  private func scalesAreExact(_ context: SpellingContext, _ x: [Int], _ y: [Int]) -> Bool {
    guard let fact = context.fact("scales") else { return true }
    guard let scales = fact.value?.doubles, let axes = try? resolvedAxes(rank: 4), scales.count == axes.count else {
      return false
    }
    return zip(axes, scales).allSatisfy { Double(x[$0]) * $1 == Double(y[$0]) }
  }
}
