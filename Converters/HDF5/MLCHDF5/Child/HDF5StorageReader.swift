import CHDF5
import MLCCore

/// How a dataset keeps its elements.
struct HDF5StorageReader {
  let name: String
  let filters: [String]
  /// The elements are in this file.
  var isInFile: Bool { name != "virtual" && name != "external" }

  init(_ properties: hid_t, _ path: String) throws(Diagnostic) {
    switch mlc_h5_layout(properties) {
    case 1: name = "compact"
    case 2: name = H5Pget_external_count(properties) == 0 ? "contiguous" : "external"
    case 3: name = "chunked"
    default: name = "virtual"
    }
    let count = H5Pget_nfilters(properties)
    guard (0...32).contains(count) else { throw Diagnostic.damaged("the filters of '\(path)'") }
    var filters: [String] = []
    for index in 0..<UInt32(count) {
      var text = [CChar](repeating: 0, count: 64)
      let id = mlc_h5_filter_name(properties, index, &text, text.count)
      let known: [Int64: String] = [1: "gzip", 2: "shuffle", 3: "fletcher32", 4: "szip", 5: "nbit", 6: "scaleoffset"]
      guard id >= 0 else { throw Diagnostic.damaged("the filters of '\(path)'") }
      filters.append(known[id] ?? "filter \(id)")
    }
    self.filters = filters
  }
}
