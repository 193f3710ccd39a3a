import MLCCore
import MLCOps

extension Add: BinaryDifferentiable {
  package func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula) { (g, g) }
}

extension Sub: BinaryDifferentiable {
  package func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula) { (g, -g) }
}

extension Mul: BinaryDifferentiable {
  package func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula) {
    (g * y, g * x)
  }
}

extension RealDiv: BinaryDifferentiable {
  package func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula) {
    (g / y, -(g * z / y))
  }
}

/// The larger operand has the gradient; equal ones have half of it each, as in PyTorch.
extension Maximum: BinaryDifferentiable {
  package func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula) {
    let half = (g * 0.5).when(x.equals(y))
    return (g.when(x > y, else: half), g.when(y > x, else: half))
  }
}

/// The smaller operand has the gradient; equal ones have half of it each, as in PyTorch.
extension Minimum: BinaryDifferentiable {
  package func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula) {
    let half = (g * 0.5).when(x.equals(y))
    return (g.when(x < y, else: half), g.when(y < x, else: half))
  }
}

/// `z = x − y · n`, n being constant but for steps.
extension Mod: BinaryDifferentiable {
  package func gradients(_ g: Formula, x: Formula, y: Formula, z: Formula) -> (x: Formula, y: Formula) {
    (g, -(g * ((x - z) / y).applying(Round())))
  }
}
