import MLCKernels

/// Every strategy there is. The cheapest one that accepts a kernel emits it.
package enum StrategyTable {
  package static let convolution: [any Strategy.Type] = [
    DirectConvNCHWc.self, WinogradConv.self, DepthwiseConv.self, StemConv.self, WindowConv.self, BroadcastConv.self,
    TileConvNCHWc.self, LongWindowConv.self, PlainWinogradConv.self,
  ]
  package static let matmul: [any Strategy.Type] = [
    PackedGemm.self, Gemv.self, BatchedGemm.self, StreamedGemv.self, TileGemm.self,
  ]
  package static let attention: [any Strategy.Type] = [BlockedAttention.self, RowAttention.self]

  /// Those that `body` may be computed by; `nil` where there is nothing to choose.
  static func strategies(of body: Kernel.Body) -> [any Strategy.Type]? {
    switch body {
    case .convolution: convolution
    case .matmul: matmul
    case .attention: attention
    case .loopNest, .routine: nil
    }
  }
}
