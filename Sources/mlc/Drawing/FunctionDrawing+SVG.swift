import MLCCore

extension FunctionDrawing {
  /// One SVG 1.1 document that needs nothing besides itself.
  var svg: String {
    let sizes = nodes.map { node in
      let widest = max(Double(node.title.count) * 8.4, Double(node.lines.map(\.count).max() ?? 0) * 6.7)
      return (width: max(60, widest + 20), height: 26 + 15 * Double(node.lines.count))
    }
    let layout = LayeredLayout(sizes: sizes, edges: edges.map { ($0.from, $0.to) })
    let size = (width: layout.width + 48, height: layout.height + 48)
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width.fixed(0))" height="\(size.height.fixed(0))" \
      viewBox="-24 -24 \(size.width.fixed(1)) \(size.height.fixed(1))" \
      font-family="ui-monospace, Menlo, Consolas, monospace">
      <style>
      rect { stroke-width: 1; } .operation rect { fill: #eef3fb; stroke: #5b7db1; }
      .block rect { fill: #f1ecf9; stroke: #7d62ab; stroke-width: 2; }
      .input rect { fill: #e9f6ec; stroke: #4c9a63; } .output rect { fill: #fdf1e3; stroke: #c98a3c; }
      .title { font-size: 14px; font-weight: 600; } .line { font-size: 11px; fill: #444; }
      path { fill: none; stroke: #777; stroke-opacity: .75; } marker path { fill: #777; stroke: none; }
      </style>
      <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
      <path d="M0 0 L8 4 L0 8 z"/></marker></defs>

      """
    let arrows = zip(edges, layout.paths).map { edge, path in arrow(edge.label, path, layout) }
    let boxes = zip(nodes, layout.boxes).map(box)
    return head + (arrows + boxes).joined(separator: "\n") + "\n</svg>\n"
  }

  private func arrow(_ label: String, _ path: [Int], _ layout: LayeredLayout) -> String {
    let first = layout.boxes[path[0]]
    var d = "M\(first.x.fixed(1)) \((first.y + first.height).fixed(1))"
    for (from, to) in zip(path, path.dropFirst()) {
      let (upper, lower) = (layout.boxes[from], layout.boxes[to])
      if let turn = layout.turns[LayeredLayout.Step(from: from, to: to)] {
        d += " \(route(upper, turn, lower))"
        continue
      }
      let (top, bottom) = (upper.y + upper.height, lower.y)
      let middle = ((top + bottom) / 2).fixed(1)
      d += " C\(upper.x.fixed(1)) \(middle) \(lower.x.fixed(1)) \(middle) \(lower.x.fixed(1)) \(bottom.fixed(1))"
    }
    return "<path d=\"\(d)\" marker-end=\"url(#tip)\"><title>\(label.markup)</title></path>"
  }

  /// Under the column, up beside it, and over the next one, in half turns of 21 units' height.
  private func route(_ upper: LayeredLayout.Box, _ turn: LayeredLayout.Turn, _ lower: LayeredLayout.Box) -> String {
    let (from, x, to) = (upper.x.fixed(1), turn.x.fixed(1), lower.x.fixed(1))
    let (bottom, under) = (turn.bottom.fixed(1), (turn.bottom + 28).fixed(1))
    return
      "V\(bottom) C\(from) \(under) \(x) \(under) \(x) \(bottom) V0 C\(x) -28 \(to) -28 \(to) 0 V\(lower.y.fixed(1))"
  }

  private func box(_ node: Node, _ box: LayeredLayout.Box) -> String {
    let left = box.x - box.width / 2
    var text = "<g class=\"\(node.kind.rawValue)\">"
    if !node.hint.isEmpty { text += "<title>\(node.hint.markup)</title>" }
    text += "<rect x=\"\(left.fixed(1))\" y=\"\(box.y.fixed(1))\" width=\"\(box.width.fixed(1))\" "
    text += "height=\"\(box.height.fixed(1))\" rx=\"5\"/>"
    func line(_ style: String, _ offset: Double, _ content: String) {
      text += "<text class=\"\(style)\" x=\"\(box.x.fixed(1))\" y=\"\((box.y + offset).fixed(1))\" "
      text += "text-anchor=\"middle\">\(content.markup)</text>"
    }
    line("title", 18, node.title)
    for (number, content) in node.lines.enumerated() { line("line", 33 + 15 * Double(number), content) }
    return text + "</g>"
  }
}
