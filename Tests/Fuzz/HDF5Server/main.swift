import CForkServer
import Glibc
import MLCCore
import MLCHDF5

// Reads HDF5 files as `mlc hdf5-extract` does, each in a copy of this process. Without sanitizers, which would take the
// addresses that the limits leave.

/// Reads a file once, so that every copy finds libraries and tables as they are after that.
func rehearse(_ path: String) throws(Diagnostic) {
  let output = try OpenFile.nameless()
  let writer = ExtractionWriter(descriptor: output.descriptor, limit: 1 << 24)
  try HDF5Walker.extract(path, writer, readsData: true)
}

HDF5ChildMain.prepare()
if let sample = getenv("HDF5_SAMPLE") { try? rehearse(String(cString: sample)) }
mlc_fork_serve { request in
  guard let request else { return }
  HDF5ChildMain.run(limit: Int(request.pointee.file_bytes), readsData: request.pointee.reads_data)
}
