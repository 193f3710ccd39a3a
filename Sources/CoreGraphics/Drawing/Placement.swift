import CMLCPixels
import Foundation

/// How a picture fills another size. Raw values are those of Vision's options.
package enum Scaling: UInt, Sendable {
  /// The largest middle part of the target's proportions fills it.
  case centerCrop = 0
  /// All of the picture in the middle of the target, between bars of black.
  case fit = 1
  /// All of the picture, its proportions changed.
  case fill = 2
  /// Turned counterclockwise by 90° first.
  case fitTurned = 0x101
  case fillTurned = 0x102
}

/// Which part of a stored picture goes where in a target.
package struct Placement: Sendable {
  /// In pixels of the stored picture, rows counted downwards.
  package var box: CGRect
  /// How what is stored is turned.
  package let orientation: Orientation
  /// In pixels of the target, rows counted downwards.
  package let left: Int, top: Int, width: Int, height: Int
  /// The part that was asked for and what is drawn of it, in pixels of what is shown, turned where that comes first;
  /// rows counted downwards.
  let part: CGRect, drawn: CGRect
  let isTurned: Bool

  /// `part` is in fractions of the shown picture, rows counted upwards; what lies outside of it is left out. `nil`
  /// where nothing is left.
  package init?(
    of size: (width: Int, height: Int),
    _ orientation: Orientation,
    part: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1),
    _ scaling: Scaling,
    into target: (width: Int, height: Int)
  ) {
    isTurned = scaling == .fitTurned || scaling == .fillTurned
    let stored = CGSize(width: size.width, height: size.height)
    let shown = orientation.isTransposed ? CGSize(width: stored.height, height: stored.width) : stored
    let inside = part.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
    guard inside.width > 0, inside.height > 0, target.width > 0, target.height > 0 else { return nil }
    var box = CGRect(
      x: inside.minX * shown.width,
      y: (1 - inside.maxY) * shown.height,
      width: inside.width * shown.width,
      height: inside.height * shown.height
    )
    if isTurned { box = CGRect(x: box.minY, y: shown.width - box.maxX, width: box.height, height: box.width) }
    self.part = box
    let (columns, rows) = (CGFloat(target.width), CGFloat(target.height))
    var filled = (left: 0, top: 0, width: target.width, height: target.height)
    switch scaling {
    case .centerCrop:
      let ratio = min(box.width / columns, box.height / rows)
      box = box.insetBy(dx: (box.width - ratio * columns) / 2, dy: (box.height - ratio * rows) / 2)
    case .fit, .fitTurned:
      let ratio = max(box.width / columns, box.height / rows)
      filled.width = min(target.width, max(1, Int((box.width / ratio).rounded())))
      filled.height = min(target.height, max(1, Int((box.height / ratio).rounded())))
      (filled.left, filled.top) = ((target.width - filled.width) / 2, (target.height - filled.height) / 2)
    case .fill, .fillTurned: break
    }
    drawn = box
    self.orientation = isTurned ? orientation.turned : orientation
    (left, top, width, height) = filled
    self.box = Placement.stored(box, self.orientation, stored)
  }

  /// `box`, in pixels of an upright picture with rows counted downwards, into a rectangle of the target.
  init(box: CGRect, left: Int, top: Int, width: Int, height: Int) {
    (self.box, part, drawn, isTurned, orientation) = (box, box, box, false, Orientation(.up))
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// A box of what is shown as one of what is stored.
  private static func stored(_ box: CGRect, _ orientation: Orientation, _ size: CGSize) -> CGRect {
    let turned = orientation.isTransposed
    let (x, y) = (turned ? box.minY : box.minX, turned ? box.minX : box.minY)
    let (width, height) = (turned ? box.height : box.width, turned ? box.width : box.height)
    return CGRect(
      x: orientation.flipsColumns ? size.width - x - width : x,
      y: orientation.flipsRows ? size.height - y - height : y,
      width: width,
      height: height
    )
  }

  /// Columns and rows that the box becomes before it is turned.
  package var storedSize: (width: Int, height: Int) {
    orientation.isTransposed ? (height, width) : (width, height)
  }

  /// The largest of 1, 2, 4 and 8 by which the picture may be reduced first and still not be smaller than its target.
  package var reduction: Int {
    let (columns, rows) = storedSize
    return [8, 4, 2].first { Int(box.width) / $0 >= columns && Int(box.height) / $0 >= rows } ?? 1
  }

  /// The same part of a picture whose size is another.
  package func scaled(from old: (width: Int, height: Int), to new: (width: Int, height: Int)) -> Placement {
    let (x, y) = (CGFloat(new.width) / CGFloat(old.width), CGFloat(new.height) / CGFloat(old.height))
    var result = self
    result.box = CGRect(x: box.minX * x, y: box.minY * y, width: box.width * x, height: box.height * y)
    return result
  }

  /// Within a picture of `size`, whatever rounding did.
  func pixelBox(in size: (width: Int, height: Int)) -> mlc_pixel_box {
    let (columns, rows) = (Double(size.width), Double(size.height))
    return mlc_pixel_box(
      left: min(max(box.minX, 0), columns),
      top: min(max(box.minY, 0), rows),
      right: min(max(box.maxX, 0), columns),
      bottom: min(max(box.maxY, 0), rows)
    )
  }
}
