import Foundation

/// A folder for the files of one job, under the repository's `.build` so that they are on a real
/// disk; it is removed with the value.
final class BenchFolder: Sendable {
  /// The repository's folder.
  static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized

  private let url: URL

  init(_ name: String) throws {
    url = Self.root.appending(path: ".build/bench/\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}
