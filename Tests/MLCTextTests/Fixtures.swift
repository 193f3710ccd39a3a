import Foundation
import MLCCore
import Testing

/// The rows of a file that `make_fixtures.py` wrote.
func fixture<Row: Decodable>(_ name: String, of _: Row.Type = Row.self) throws -> [Row] {
  let url = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/\(name).json")
  return try JSONDecoder().decode([Row].self, from: Data(contentsOf: url))
}

/// The id of the diagnostic that `body` throws; `nil` when it throws none.
func diagnosticID(_ body: () throws(Diagnostic) -> Void) -> String? {
  do { try body() } catch { return error.id.rawValue }
  return nil
}
