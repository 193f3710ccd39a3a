import CForkServer
import Glibc
import MLCCore
import MLCHDF5

/// The process that the variable `HDF5_SERVER` names, of which a copy reads each file.
enum HDF5Server {
  static let helper: HDF5Helper = {
    var helper = HDF5Helper()
    helper.run = { (program) throws(Diagnostic) in ask(program) }
    return helper
  }()

  /// What a copy may take of the processor, where `mlc` gives it seconds: there are files of which libhdf5 makes loops,
  /// and all that follow from these would loop too.
  private static let milliseconds: Int64 = 10

  private static let socket: Int32 = {
    guard let path = getenv("HDF5_SERVER") else { fatalError("HDF5_SERVER names no program") }
    let socket = mlc_fork_server(path)
    guard socket >= 0 else { fatalError("\(String(cString: path)) does not start") }
    return socket
  }()

  /// Traps where the copy did: a stranger's file may be too much for libhdf5, but not for what is written in Swift.
  private static func ask(_ program: ChildProgram) -> ChildProgram.End {
    let limits = program.limits
    var request = mlc_fork_request()
    (request.file_bytes, request.address_bytes) = (Int64(limits.fileBytes ?? 0), Int64(limits.addressBytes ?? 0))
    (request.milliseconds, request.wall_seconds) = (milliseconds, Int64(limits.wallSeconds ?? 0))
    request.descriptors = Int64(limits.descriptors ?? 0)
    request.reads_data = program.arguments.contains("--data")
    let status = mlc_fork_ask(socket, &request, program.files[0], program.files[1])
    precondition(status >= 0, "the process that reads HDF5 is gone")
    let signal = status & 0x7f
    precondition(![SIGILL, SIGTRAP].contains(signal), "the process that reads HDF5 trapped")
    switch signal {
    case 0: return .init(kind: .exited(status >> 8 & 0xff))
    case SIGPROF, SIGALRM: return .init(kind: .tooLong)
    default: return .init(kind: .signalled(signal))
    }
  }
}
