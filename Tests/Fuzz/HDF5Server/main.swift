import CForkServer
import MLCHDF5

// Reads HDF5 files as `mlc hdf5-extract` does, each in a copy of this process. Without sanitizers, which would take the addresses
// that the limits leave.
mlc_fork_serve { request in
  guard let request else { return }
  HDF5ChildMain.run(limit: Int(request.pointee.file_bytes), readsData: request.pointee.reads_data)
}
