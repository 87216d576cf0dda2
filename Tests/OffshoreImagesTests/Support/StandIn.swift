import Foundation
import TestSupport

/// A shell script in place of `offshore-image`, which fails in a certain way.
struct StandIn {
  let path: String
  private let folder: TemporaryFolder

  /// - Parameter script: the commands. `$FOLDER` is a folder for files.
  init(_ script: String) throws {
    folder = try TemporaryFolder()
    path = folder.file("program")
    let text = "#!/bin/sh\nFOLDER='\(folder.path)'\n\(script)\n"
    let source = folder.file("source")
    try Data(text.utf8).write(to: URL(filePath: source))
    // NB: A file that this process writes would be busy while a process that was started meanwhile
    // has inherited it.
    try TestProcess("/usr/bin/install", ["-m", "755", source, path]).wait()
  }

  /// Waits until the script has written a line to a file, and returns the line.
  func line(of name: String) async throws -> String {
    while true {
      let text = try? String(contentsOfFile: folder.file(name), encoding: .utf8)
      if let text, text.hasSuffix("\n") { return String(text.dropLast()) }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// Waits until a process has ended. One that has ended has no arguments any more.
  static func waitForEnd(of process: String) async throws {
    while let arguments = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
      !arguments.isEmpty
    {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
