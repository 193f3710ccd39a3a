/// The addresses of inputs and outputs that a workspace runs on, by number. Never empty, so that there is always a base
/// address.
final class PortPointers {
  let inputs: UnsafeMutableBufferPointer<UnsafeRawPointer?>
  let outputs: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>

  init(inputs inputCount: Int, outputs outputCount: Int) {
    inputs = .allocate(capacity: inputCount + 1)
    inputs.initialize(repeating: nil)
    outputs = .allocate(capacity: outputCount + 1)
    outputs.initialize(repeating: nil)
  }

  deinit {
    inputs.deallocate()
    outputs.deallocate()
  }

  /// A valid address, for tensors without elements.
  var somewhere: UnsafeMutableRawPointer { UnsafeMutableRawPointer(inputs.baseAddress!) }
}
