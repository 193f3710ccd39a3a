import MLCCore
import MLCGraph
import MLCOps

extension Conv: MILSpelled {
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    call.fillWindow(axes: context.result().rank - 2, dilations: true)
  }
}

extension ConvTranspose: MILSpelled {
  /// What `output_padding` adds, MIL's `output_shape` says.
  func spell(_ call: inout MILCall, _ context: SpellingContext) {
    let y = context.result()
    call.fillWindow(axes: y.rank - 2, dilations: true)
    call["output_padding"] = nil
    guard outputPadding.contains(where: { $0 != 0 }) else { return }
    guard let shape = y.type.staticShape else {
      return call.block(
        "Core ML's conv_transpose has no parameter 'output_padding', and the result's shape is not fixed"
      )
    }
    call["output_shape"] = .ints(shape)
  }
}
