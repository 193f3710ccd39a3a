import MLCOps

extension Ensure: OrderKeeping {}
