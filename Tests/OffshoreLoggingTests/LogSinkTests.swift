import Foundation
import Testing

@testable import OffshoreLogging

/// Serialized, because standard error belongs to the whole process.
@Suite(.serialized)
struct LogSinkTests {
  /// Returns the text that a closure writes to standard error.
  private func standardError(_ body: () -> Void) throws -> String {
    let pipe = Pipe()
    let original = dup(2)
    dup2(pipe.fileHandleForWriting.fileDescriptor, 2)
    body()
    dup2(original, 2)
    close(original)
    try pipe.fileHandleForWriting.close()
    return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test func `Standard error gets a line for each entry of at least the level`() throws {
    let text = try standardError {
      let log = AppLogger(.store, to: .standardError(from: .warning))
      log.completeOperation(log.startOperation("quiet operation"))
      log.warning("left out", .count("rows", 2))
    }
    #expect(text.contains("warning store left out rows=2\n"))
    #expect(!text.contains("quiet operation"))
  }

  @Test func `The empty sink writes nothing`() throws {
    let text = try standardError {
      AppLogger(.store, to: .none).warning("never to be seen")
    }
    #expect(!text.contains("never to be seen"))
  }
}
