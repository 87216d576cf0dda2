import Foundation
import TestSupport
import Testing

@testable import OffshoreServer

/// Logs of requests whose reader has gone, in a process that such a line could end.
struct BrokenPipeTests {
  @Test func `a server goes on if nobody reads its log`() async {
    await #expect(processExitsWith: .success) {
      BrokenPipe.endsProcess()
      let queue = LineQueue(try BrokenPipe.makeWriter())
      for _ in 0..<3 {
        RequestLog(queue).write("info", at: 0, ["route": .text("/v1/push")])
        await queue.flush(within: .seconds(60))
      }
    }
  }
}
