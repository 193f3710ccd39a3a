import Foundation
import FoundationXML
import Testing

/// Names and figures of a report.
final class ReportReader: NSObject, XMLParserDelegate {
  private(set) var title = ""
  /// Of the whole model, by name, and where they come from.
  private(set) var figures: [String: String] = [:], facts: [String: String] = [:]
  /// Rows of tables by column.
  private(set) var rows: [[String: String]] = []
  private var text = "", name = "", column: String?, isFigure = false

  init(path: String) throws {
    super.init()
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    #expect(parser.parse() && !page.contains("<script"), "\(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser,
    didStartElement element: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    text = ""
    if element == "tr" { rows.append([:]) }
    if element == "td" { column = attributes["data-name"] }
    if element == "dd" { isFigure = attributes["class"] == "n" }
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
    switch element {
    case "title": if title.isEmpty { title = text }
    case "dt": name = text
    case "dd": if isFigure { figures[name] = text } else { facts[name] = text }
    case "td": if let column { rows[rows.count - 1][column] = text }
    default: break
    }
  }
}
