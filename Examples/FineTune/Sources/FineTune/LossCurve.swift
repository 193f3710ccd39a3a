import Foundation

/// The loss of each epoch, drawn.
struct LossCurve {
  let losses: [Double]

  private var top: Double { max(losses.max() ?? 0, 1e-6) }

  /// For terminals: a line and a bar for each epoch.
  var text: [String] {
    losses.enumerated().map { epoch, loss in
      let bar = String(repeating: "▇", count: Int((50 * loss / top).rounded()))
      return String(format: "epoch %2d  %.3f ", epoch + 1, loss) + bar
    }
  }

  /// A picture: epochs to the right, the loss from 0 upwards.
  var svg: String {
    let (width, height, left, bottom) = (480.0, 270.0, 50.0, 230.0)
    let across = (width - left - 20) / Double(max(losses.count - 1, 1))
    func number(_ value: Double) -> String { String(format: "%.1f", value) }
    func place(_ loss: Double) -> String { number(bottom - (bottom - 20) * loss / top) }
    let points = losses.enumerated().map { "\(number(left + across * Double($0))),\(place($1))" }
    let lines = (0...4).map { step -> String in
      let loss = top * Double(step) / 4
      return """
        <path d="M\(left) \(place(loss))H\(width - 20)" stroke="#ddd"/>
        <text x="\(left - 6)" y="\(place(loss))" text-anchor="end" dy="4">\(String(format: "%.2f", loss))</text>
        """
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="11">
      <rect width="100%" height="100%" fill="white"/>
      \(lines.joined(separator: "\n"))
      <polyline points="\(points.joined(separator: " "))" fill="none" stroke="#0060c0" stroke-width="2"/>
      <text x="\(left)" y="\(bottom + 16)">1</text>
      <text x="\(width - 20)" y="\(bottom + 16)" text-anchor="end">\(losses.count)</text>
      <text x="\((width + left) / 2)" y="\(bottom + 32)" text-anchor="middle">epoch</text>
      <text x="6" y="14">loss</text>
      </svg>

      """
  }
}
