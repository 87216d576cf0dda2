import Foundation
import TestSupport
import Testing

@testable import OffshoreServer

/// Lines of a request log whose reader has closed the pipe. A write to it could end the process.
struct BrokenPipeTests {
  @Test func `A server continues if its log has no reader`() async {
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
