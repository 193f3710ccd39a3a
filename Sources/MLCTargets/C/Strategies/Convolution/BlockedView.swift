import MLCCore
import MLCKernels

/// The strides, in elements, of a tensor in `NCHWc` layout.
struct BlockedView {
  let block: Int
  let halo: Layout.Blocked
  /// Channel blocks.
  let blocks: Int
  let row: Dim, plane: Dim, image: Dim
  /// From the start of a plane to its first element inside the halo.
  let origin: Dim

  /// `nil` for a plain tensor or a symbolic channel count.
  init?(_ tensor: KernelTensor) {
    guard case .blocked(let halo) = tensor.layout, tensor.shape.count == 4, let channels = tensor.shape[1].constant
    else { return nil }
    (self.halo, block) = (halo, halo.block)
    blocks = (channels + halo.block - 1) / halo.block
    row = (tensor.shape[3] + Dim(halo.left + halo.right)) * Dim(halo.block)
    plane = (tensor.shape[2] + Dim(halo.top + halo.bottom)) * row
    image = plane * Dim(blocks)
    origin = Dim(halo.top) * row + Dim(halo.left * halo.block)
  }

  var hasHalo: Bool { halo.top != 0 || halo.bottom != 0 || halo.left != 0 || halo.right != 0 }
}
