import Foundation

/// A folder on a real disk that is removed with the object, unless the variable `OFFSHORE_KEEP` is set, so
/// that the files of a failure can be examined.
package final class FaultFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "offshore-faults-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    guard ProcessInfo.processInfo.environment["OFFSHORE_KEEP"] == nil else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { path + "/" + name }
}
