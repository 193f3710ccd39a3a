import Foundation
import MLCCore

/// The domain of Core ML's errors, under Apple's name.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MLModelErrorDomain = "com.apple.CoreML"

/// What goes wrong with models. `localizedDescription` says it in full.
public struct MLModelError: CustomNSError, LocalizedError, Hashable, Sendable {
  /// Kinds of problems. Raw values are Core ML's.
  public enum Code: Int, Sendable {
    case generic = 0
    case featureType = 1
    case io = 3
    case customLayer = 4
    case customModel = 5
    case update = 6
    case parameters = 7
    case modelDecryptionKeyFetch = 8
    case modelDecryption = 9
    case modelCollection = 10
    case predictionCancelled = 11

    /// `catch MLModelError.io`.
    public static func ~= (code: Code, error: any Error) -> Bool { (error as? MLModelError)?.code == code }
  }

  public static var generic: Code { .generic }
  public static var featureType: Code { .featureType }
  public static var io: Code { .io }
  public static var customLayer: Code { .customLayer }
  public static var customModel: Code { .customModel }
  public static var update: Code { .update }
  public static var parameters: Code { .parameters }
  public static var modelDecryptionKeyFetch: Code { .modelDecryptionKeyFetch }
  public static var modelDecryption: Code { .modelDecryption }
  public static var modelCollection: Code { .modelCollection }
  public static var predictionCancelled: Code { .predictionCancelled }

  public static var errorDomain: String { MLModelErrorDomain }

  public let code: Code
  private let message: String

  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.init(code, userInfo[NSLocalizedDescriptionKey] as? String ?? "the model failed")
  }

  /// Names of the model in `message` are escaped where they are not printable: who shows errors shows text.
  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message.printableLines) }

  /// What the runtime found, with its stable id in brackets.
  init(_ problem: Diagnostic) {
    let id = problem.id.rawValue
    let code: Code =
      if id.hasPrefix("runtime.input-") || id == "runtime.output-memory" {
        .featureType
      } else if id.hasPrefix("package.") || id.hasPrefix("file.") || id.hasPrefix("json.") {
        .io
      } else {
        .generic
      }
    self.init(code, problem.description)
  }

  public var errorCode: Int { code.rawValue }
  public var userInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorUserInfo: [String: Any] { userInfo }
  public var errorDescription: String? { message }
  public var localizedDescription: String { message }
}

/// Runs `body`, turning the runtime's diagnostics into Core ML's errors.
func reporting<R>(_ body: () throws(Diagnostic) -> R) throws(MLModelError) -> R {
  do throws(Diagnostic) { return try body() } catch { throw MLModelError(error) }
}
