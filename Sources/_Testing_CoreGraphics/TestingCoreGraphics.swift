// Swift's toolchain imports this module, on Linux too, wherever a file imports both `Testing` and a module of the name
// `CoreGraphics`, itself or through another. It ships none, so that there must be one; there is nothing to declare.
