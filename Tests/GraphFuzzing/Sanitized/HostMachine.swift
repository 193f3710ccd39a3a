import Foundation
import MLCCompiler
import MLCCore
import MLCKernels
import MLCTargetC

/// How code for one architecture is built and run here: on this processor's own as its runner asks, as it is shipped
/// under qemu on another.
///
/// Every check of `undefined` is on, `float-cast-overflow` besides, but overflow of signed integers, which `-fwrapv`
/// defines and operators rely on.
enum HostMachine: Hashable {
  case native
  /// Debian's `qemu-user`, with the C library of its cross compilers.
  case aarch64

  init(_ device: DeviceDescription) throws(Diagnostic) {
    switch device.architecture {
    case DeviceSet.host?.architecture: self = .native
    case "aarch64": self = .aarch64
    default: throw Diagnostic("test.host", "nothing here runs code for \(device.name)", kind: .environment)
    }
  }

  private static let sanitizers = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"]

  /// The file of the host.
  var host: String {
    switch self {
    case .native: "host"
    case .aarch64: "host-aarch64"
    }
  }

  /// The command that makes the host of `host.c`.
  func hostCommand(_ clang: CCompiler) -> [String] {
    let flags = ["-std=gnu11", "-O1", "-g", "-Wall", "-Werror", "host.c", "-o", host]
    switch self {
    case .native: return [clang.path] + flags + HostMachine.sanitizers + HostMachine.linker(clang) + ["-lm"]
    case .aarch64: return ["/usr/bin/aarch64-linux-gnu-gcc"] + flags + ["-lm", "-ldl"]
    }
  }

  /// Those of `wanted` that there are here.
  func builds(_ wanted: [HostBuild]) -> [HostBuild] { self == .native ? wanted : [.shipped] }

  /// The command that makes `module.so` of `files`.
  func moduleCommand(_ clang: CCompiler, _ device: DeviceDescription, _ files: [String], _ build: HostBuild) -> [String]
  {
    let flags = CCompiler.dialect + ["-shared", "-o", "module.so"] + device.compilerFlags + files
    let level = [clang.path, build.level] + (build.isSanitized ? HostMachine.sanitizers : ["-nostdlib"])
    return level + flags + HostMachine.linker(clang)
  }

  /// The command that plays with the host in `folder`.
  func playCommand(_ folder: String, _ arguments: [String]) -> [String] {
    switch self {
    case .native: ["\(folder)/\(host)"] + arguments
    case .aarch64: ["/usr/bin/qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "\(folder)/\(host)"] + arguments
    }
  }

  /// lld where it stands beside clang: gold warns of each symbol of the sanitizers, and knows one architecture.
  private static func linker(_ clang: CCompiler) -> [String] {
    let beside = URL(filePath: clang.path).resolvingSymlinksInPath().deletingLastPathComponent()
    return FileManager.default.isExecutableFile(atPath: beside.appending(path: "ld.lld").path()) ? ["-fuse-ld=lld"] : []
  }
}
