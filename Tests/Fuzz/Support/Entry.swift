import Glibc
import MLCCore

// `mlc-fuzz TARGET [libFuzzer's options] [CORPUS or input…]` fuzzes one reader, or plays inputs to it;
// `mlc-fuzz seeds FOLDER` writes the seeds that are made here, `mlc-fuzz list` the names of the targets.

/// The target that the command line names.
private let target: FuzzTarget = {
  let name = CommandLine.arguments.dropFirst().first ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print("no target '\(name)'; there are \(FuzzTarget.all.map { $0.name }.joined(separator: " "))")
    exit(2)
  }
  return target
}()

/// libFuzzer calls this first. The target's name is taken out of the arguments.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  switch CommandLine.arguments.dropFirst().first {
  case "list":
    for target in FuzzTarget.all { print(target.name) }
    exit(0)
  case "seeds":
    do throws(Diagnostic) { try Seeds.write(to: CommandLine.arguments[2]) } catch { fatalError("\(error)") }
    exit(0)
  default: break
  }
  _ = target
  for index in 1..<Int(count.pointee) { arguments.pointee[index] = arguments.pointee[index + 1] }
  count.pointee -= 1
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.play(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: CUnsignedInt) -> Int {
  var random = Random(seed: UInt64(seed))
  guard let mutator = target.mutator, random.below(8) > 0,
    let result = mutator.mutated(Array(UnsafeBufferPointer(start: start, count: count)), &random),
    result.count <= limit
  else { return mutateBytes(start, count, limit) }
  for (index, byte) in result.enumerated() { start[index] = byte }
  return result.count
}
