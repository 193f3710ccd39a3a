import Glibc
import MLCCore

// `fuzz-… TARGET [libFuzzer's options] [CORPUS or input…]` fuzzes one reader, or plays inputs to it; `fuzz-… list`
// prints the names of the targets, `fuzz-… seeds FOLDER` writes the seeds that they have of their own,
// FOLDER/TARGET/own_N. `fuzz-… extremes TARGET FILE SEED…` plays seeds with each of their numbers an extreme
// one, and writes the input that breaks the target to FILE.

/// The targets of the program that this is linked into.
@_silgen_name("mlc_fuzz_targets") private func allTargets() -> [FuzzTarget]

/// The target that the command line names.
private let target: FuzzTarget = {
  let name = CommandLine.arguments.dropFirst().first ?? ""
  guard let target = allTargets().first(where: { $0.name == name }) else {
    print("no target '\(name)'; there are \(allTargets().map { $0.name }.joined(separator: " "))")
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
    for target in allTargets() { print(target.name) }
    exit(0)
  case "seeds":
    for target in allTargets() { target.writeSeeds(to: CommandLine.arguments[2]) }
    exit(0)
  case "extremes":
    let given = Array(CommandLine.arguments.dropFirst(2))
    guard given.count > 1, let target = allTargets().first(where: { $0.name == given[0] }) else {
      print("fuzz-… extremes TARGET FILE SEED…")
      exit(2)
    }
    do throws(Diagnostic) { try ExtremePlay(target: target).play(given[2...], found: given[1]) } catch {
      print(error)
      exit(2)
    }
    exit(0)
  default: break
  }
  _ = target
  for index in 1..<Int(count.pointee) { arguments.pointee[index] = arguments.pointee[index + 1] }
  count.pointee -= 1
  return 0
}

@_silgen_name("LLVMFuzzerRunDriver") private func run(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What libFuzzer's `main` does. A build without `--sanitize=fuzzer` gives each program an entry point of another name.
package func main(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  var (count, arguments) = (count, arguments)
  return run(&count, &arguments, test)
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
