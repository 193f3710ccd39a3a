import CHDF5
import MLCCore

/// The extents of a dataset or an attribute; `nil` for a null dataspace. Throws `hdf5.damaged` and, for more than
/// tensors have, `hdf5.limit`.
func hdf5Shape(_ space: hid_t, of owner: String) throws(Diagnostic) -> [Int]? {
  switch H5Sget_simple_extent_type(space) {
  case H5S_NULL: return nil
  case H5S_SCALAR: return []
  case H5S_SIMPLE: break
  default: throw Diagnostic.damaged("the shape of '\(owner)'")
  }
  let rank = Int(H5Sget_simple_extent_ndims(space))
  guard (0...32).contains(rank) else { throw Diagnostic.damaged("the shape of '\(owner)'") }
  var extents = [hsize_t](repeating: 0, count: rank)
  guard rank == 0 || H5Sget_simple_extent_dims(space, &extents, nil) >= 0 else {
    throw Diagnostic.damaged("the shape of '\(owner)'")
  }
  let shape = extents.map { Int(clamping: $0) }
  guard let count = shape.checkedProduct, count <= maximumTensorBytes else {
    throw Diagnostic.limit("'\(owner)' claims the shape \(shape)")
  }
  return shape
}
