import MLCCore

/// The smallest input that is refused with `id`.
struct Rejection: Sendable {
  let id: String
  let provoke: @Sendable () throws -> Void

  init(_ id: String, _ provoke: @escaping @Sendable () throws -> Void) { (self.id, self.provoke) = (id, provoke) }

  /// What is wrong when `provoke` does not throw `id`; `nil` when it does.
  var problem: String? {
    do { try provoke() } catch let error as Diagnostic {
      if error.id.rawValue != id { return "\(id): refused with \(error)" }
      return error.message.isEmpty ? "\(id): there is no message" : nil
    } catch { return "\(id): \(error)" }
    return "\(id): nothing was refused"
  }

  /// Every table there is.
  static let all: [Rejection] =
    operations + graphs + texts + kernels + compilation + files + onnx + onnxOperators + coreML
    + networks + classical
}
