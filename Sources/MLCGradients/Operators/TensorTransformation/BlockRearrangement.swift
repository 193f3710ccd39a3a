import MLCOps

// Each has an inverse among the others.

extension DepthToSpace: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.applying(SpaceToDepth(block: block)) }
}

extension SpaceToDepth: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.applying(DepthToSpace(block: block)) }
}

extension PixelShuffle: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.applying(PixelUnshuffle(block: block)) }
}

extension PixelUnshuffle: UnaryDifferentiable {
  package func gradient(_ g: Formula, x: Formula, y: Formula) -> Formula { g.applying(PixelShuffle(block: block)) }
}
