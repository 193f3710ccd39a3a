import MLCCore

extension SizeEnumeration {
  /// `shapes` of the input `name`: the combinations of the sizes `NAME_dAXIS`, over those of `axes` in which the shapes
  /// differ. `nil` where they are all alike.
  init?(_ shapes: [[Int]], of name: String, axes: [Int]) {
    let open = axes.filter { axis in Set(shapes.map { $0[axis] }).count > 1 }
    let choices = shapes.map { shape in open.map { shape[$0] } }
    self.init(
      open.map { "\(name)_d\($0)" },
      choices: choices.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    )
  }
}
