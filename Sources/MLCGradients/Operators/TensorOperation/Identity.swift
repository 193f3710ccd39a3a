import MLCOps

extension Identity: OrderKeeping {}
