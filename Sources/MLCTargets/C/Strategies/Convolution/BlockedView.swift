import MLCCore
import MLCKernels

/// The strides, in elements, of a tensor in `NCHWc` layout. A volume is what a block of channels has of an image.
struct BlockedView {
  let block: Int
  let halo: Layout.Blocked
  /// Channel blocks.
  let blocks: Int
  let row: Dim, plane: Dim, volume: Dim, image: Dim
  /// From the start of a plane to its first element inside the halo.
  let origin: Dim

  /// `nil` for a plain tensor or a symbolic channel count.
  init?(_ tensor: KernelTensor) {
    guard case .blocked(let halo) = tensor.layout, let channels = tensor.shape[1].constant else { return nil }
    (self.halo, block) = (halo, halo.block)
    blocks = (channels + halo.block - 1) / halo.block
    row = (tensor.columns + Dim(halo.left + halo.right)) * Dim(halo.block)
    plane = (tensor.rows + Dim(halo.top + halo.bottom)) * row
    volume = plane * tensor.depth
    image = volume * Dim(blocks)
    origin = Dim(halo.top) * row + Dim(halo.left * halo.block)
  }

  var hasHalo: Bool { halo.top != 0 || halo.bottom != 0 || halo.left != 0 || halo.right != 0 }
}
