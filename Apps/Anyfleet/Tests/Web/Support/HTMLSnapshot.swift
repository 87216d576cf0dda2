import Foundation
import Testing

/// A reviewed copy of a page, stored beside the tests.
///
/// `OFFSHORE_RECORD=1 swift test --filter Snapshot` writes all of them again; review the
/// differences before you commit them.
struct HTMLSnapshot {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Snapshots")
  private static let isRecording = ProcessInfo.processInfo.environment["OFFSHORE_RECORD"] != nil

  let name: String

  /// Compares a page with its stored copy.
  func expect(_ markup: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = Self.readable(markup)
    let file = Self.folder.appending(path: "\(name).html")
    if Self.isRecording {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(found.utf8).write(to: file)
      return
    }
    let stored = try? String(contentsOf: file, encoding: .utf8)
    let difference = Self.firstDifference(stored ?? "", found)
    #expect(
      difference == nil, "\(name) is not as it was stored; see HTMLSnapshot",
      sourceLocation: sourceLocation)
  }

  /// Formats markup with one element a line, without the parts that differ from run to run.
  private static func readable(_ markup: String) -> String {
    markup.replacing(/data-tab="[^"]*"/, with: #"data-tab="""#)
      .replacing(/\/assets\/(look|live)-[a-z0-9]+\./) { "/assets/\($0.output.1)." }
      .replacing(/\/[^<"]*offshore-[-A-F0-9]{36}/, with: "/data")
      .replacing("><", with: ">\n<") + "\n"
  }

  private static func firstDifference(_ stored: String, _ found: String) -> String? {
    let (stored, found) = (stored.split(separator: "\n"), found.split(separator: "\n"))
    for (number, (before, now)) in zip(stored, found).enumerated() where before != now {
      return "line \(number + 1): \(before) → \(now)"
    }
    return stored.count == found.count ? nil : "\(stored.count) lines → \(found.count)"
  }
}
