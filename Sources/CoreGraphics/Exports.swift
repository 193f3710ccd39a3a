@_exported import CoreFoundationNames
