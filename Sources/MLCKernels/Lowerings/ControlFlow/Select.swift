import MLCCore
import MLCGraph
import MLCOps

extension Select: ElementwiseLowerable {
  package func scalar(_ x: [Scalar], dtype: DType) -> Scalar { .select(x[0], x[1], x[2]) }
}
