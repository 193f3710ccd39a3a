import MLCOps

extension Reshape: OrderKeeping {}
extension ExpandDims: OrderKeeping {}
extension Squeeze: OrderKeeping {}
