import MLCCore
