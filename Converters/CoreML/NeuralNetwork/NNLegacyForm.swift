import CoreMLProto
import MLCCore

/// How values of a network with arrays of the old form are held.
struct NNLegacyForm {
  /// 5 for `[Seq, Batch, C, H, W]`; 4 where no layer minds the sequence, which is 1 then.
  let rank: Int
  /// Inputs `[C]` that are one step of an open sequence each.
  let sequences: Set<String>

  init(_ network: NNModel) {
    let layers = network.layers.map { NNLayer($0) }
    var (minds, makes, takes) = (false, false, false)
    var states: Set<String> = []
    for layer in layers {
      minds = minds || !NNLayerTable.legacyKinds.contains(layer.kind)
      switch layer.spec.layer {
      case .simpleRecurrent?, .gru?, .uniDirectionalLstm?, .biDirectionalLstm?:
        takes = true
        states.formUnion(layer.spec.input.dropFirst())
      case .sequenceRepeat?: takes = true
      case .concat(let spec)?: takes = takes || spec.sequenceConcat
      case .reshape(let spec)?: makes = makes || spec.targetShape.count == 4 && spec.targetShape[0] != 1
      case .permute(let spec)?: makes = makes || !spec.axis.isEmpty && spec.axis[0] != 0
      default: break
      }
    }
    rank = minds || makes || takes ? 5 : 4
    let inputs = Set(layers.flatMap { $0.spec.input })
    sequences = takes && !makes ? inputs.subtracting(states) : []
  }
}
