// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Core Video's.
import Synchronization

/// Whether what is attached to a buffer goes on to buffers that are made of it.
public enum CVAttachmentMode: UInt32, Sendable {
  case shouldNotPropagate = 0
  case shouldPropagate = 1
}

/// Attaches a value under `key`, in place of what was there.
public func CVBufferSetAttachment(
  _ buffer: CVBuffer,
  _ key: CFString,
  _ value: CFTypeRef,
  _ attachmentMode: CVAttachmentMode
) {
  nonisolated(unsafe) let value = value  // whoever attaches it shares it as the buffer's readers do
  buffer.attachments.withLock { $0[key] = Attachment(value: value, mode: attachmentMode) }
}

/// What is attached under `key`, if anything; `attachmentMode` becomes its mode.
public func CVBufferCopyAttachment(
  _ buffer: CVBuffer,
  _ key: CFString,
  _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
  guard let found = buffer.attachments.withLock({ $0[key] }) else { return nil }
  attachmentMode?.pointee = found.mode
  return found.value
}

/// What is attached under `key`, if anything, for as long as it is; `attachmentMode` becomes its mode.
public func CVBufferGetAttachment(
  _ buffer: CVBuffer,
  _ key: CFString,
  _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<CFTypeRef>? { CVBufferCopyAttachment(buffer, key, attachmentMode).map { Unmanaged.passUnretained($0) } }

/// Takes away what is attached under `key`.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
  buffer.attachments.withLock { $0[key] = nil }
}

/// Takes away all that is attached.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.attachments.withLock { $0 = [:] } }

/// Attaches to `destinationBuffer` what is attached to `sourceBuffer` and goes on.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
  let found = sourceBuffer.attachments.withLock { $0.filter { $0.value.mode == .shouldPropagate } }
  destinationBuffer.attachments.withLock { $0.merge(found) { _, new in new } }
}

/// What is attached to a buffer.
struct Attachment: @unchecked Sendable {  // objects that whoever attaches them shares
  let value: CFTypeRef
  let mode: CVAttachmentMode
}
