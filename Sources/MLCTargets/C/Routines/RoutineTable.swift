import MLCCore
import MLCKernels

/// The C of one routine.
protocol RoutineEmitter: Sendable {
  func obstacle(to kernel: Kernel, in program: KernelProgram) -> Diagnostic?
  func emit(_ kernel: Kernel, in program: KernelProgram, on device: DeviceDescription) throws(Diagnostic)
    -> EmittedKernel
}

extension Routine {
  /// Who emits it.
  var emitter: any RoutineEmitter {
    switch self {
    case .cumulation(let cumulation): CumulationEmitter(cumulation: cumulation)
    case .bitCast(let count): BitCastEmitter(count: count)
    case .pack(let count): PackEmitter(count: count)
    case .nonZero(let count): NonZeroEmitter(count: count)
    case .topK(let topK): TopKEmitter(topK: topK)
    case .suppression(let suppression): SuppressionEmitter(suppression: suppression)
    case .listing(let batches, let classes, let limit):
      ListingEmitter(batches: batches, classes: classes, limit: limit)
    case .scatter(let scatter): ScatterEmitter(scatter: scatter)
    case .packedLSTM(let packed): LSTMEmitter(packed: packed)
    case .packedGRU(let packed, let isLinear): GRUEmitter(packed: packed, linearBeforeReset: isLinear)
    case .packedRNN(let packed, let activation): RNNEmitter(packed: packed, activation: activation)
    case .recurrence(let recurrence): RecurrenceEmitter(recurrence: recurrence)
    case .trees(let trees): TreesEmitter(trees: trees)
    case .text(let text): TextEmitter(text: text)
    }
  }
}
