import MLCCore

/// Commands to a device with a memory of its own. It does them one after the other, while the caller goes on.
///
/// Addresses in the device's memory are its own: nobody else reads or writes there. Memory that a command touches stays
/// until the command is done.
package protocol DeviceQueue: AnyObject, Sendable {
  /// An address in the device's memory, never null. Throws `runtime.memory` when there is not enough.
  func allocate(_ byteCount: Int) throws(Diagnostic) -> UnsafeMutableRawPointer
  func free(_ memory: UnsafeMutableRawPointer)

  func upload(_ host: UnsafeRawPointer, to device: UnsafeMutableRawPointer, _ byteCount: Int)
  func download(_ device: UnsafeRawPointer, to host: UnsafeMutableRawPointer, _ byteCount: Int)
  /// Runs a workspace of the same driver on addresses in the device's memory, and tells `completed` how it went. A list
  /// of addresses ends with null.
  func run(
    _ workspace: any Workspace,
    inputs: UnsafePointer<UnsafeRawPointer?>,
    outputs: UnsafePointer<UnsafeMutableRawPointer?>,
    completed: @escaping @Sendable (Fault?) -> Void
  )
  /// What happens once everything is done that was commanded so far.
  func event() -> any DeviceEvent
  /// Lets what is commanded from here on begin when `event` happened, of whatever queue.
  func wait(for event: any DeviceEvent)
}

/// A point between commands.
package protocol DeviceEvent: AnyObject, Sendable {
  /// Returns when it happened.
  func wait()
}
