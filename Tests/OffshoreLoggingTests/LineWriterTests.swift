import Foundation
import Testing

@testable import OffshoreLogging

/// Lines that are written in the background.
struct LineWriterTests {
  private let pipe = Pipe()

  private func lines() throws -> [Substring] {
    try pipe.fileHandleForWriting.close()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  @Test func `Lines are written in order, and all of them before the end`() async throws {
    let queue = LineWriter(pipe.fileHandleForWriting)
    for number in 0..<500 { queue.write("line \(number)") }
    await queue.flush(within: .seconds(60))
    #expect(try lines() == (0..<500).map { "line \($0)" })
  }

  @Test func `Without a reader the queue is bounded, and the number of dropped lines is written`()
    async throws
  {
    let queue = LineWriter(pipe.fileHandleForWriting, limit: 100)
    // A pipe holds 64 KiB. Then a write to it blocks.
    let line = String(repeating: "x", count: 1_000)
    for _ in 0..<1_000 { queue.write(line) }
    await queue.flush(within: .milliseconds(1))
    let text = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [pipe] in
        let data = Result { try pipe.fileHandleForReading.readToEnd() ?? Data() }
        continuation.resume(with: data.map { String(decoding: $0, as: UTF8.self) })
      }
      Task {
        await queue.flush(within: .seconds(60))
        try pipe.fileHandleForWriting.close()
      }
    }
    let (written, dropped) = text.split(separator: "\n").reduce(into: (0, 0)) { counts, line in
      if line.hasPrefix("x") { counts.0 += 1 }
      let number = line.firstMatch(of: /"dropped":([0-9]+)/).flatMap { Int($0.1) }
      counts.1 += number ?? 0
    }
    #expect(written + dropped == 1_000 && dropped > 0 && written >= 100)
  }
}
