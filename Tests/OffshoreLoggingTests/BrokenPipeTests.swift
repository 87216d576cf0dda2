import Foundation
import TestSupport
import Testing

@testable import OffshoreLogging

/// Log lines whose reader has closed the pipe, in a process that such a line could end.
struct BrokenPipeTests {
  @Test func `A plain write without a reader ends the process`() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      BrokenPipe.restoreDefaultSignal()
      try BrokenPipe.makeWriter().write(contentsOf: Data([1]))
    }
  }

  @Test func `A write without a reader throws, and leaves no pending signal`() async {
    await #expect(processExitsWith: .success) {
      BrokenPipe.restoreDefaultSignal()
      let writer = try BrokenPipe.makeWriter()
      for _ in 0..<3 {
        #expect(throws: (any Error).self) { try writer.writeWithoutSignal(Data([1])) }
      }
    }
  }

  @Test func `A signal that was pending before a write is still pending after it`() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      BrokenPipe.restoreDefaultSignal()
      var (signals, mask) = (sigset_t(), sigset_t())
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, &mask)
      raise(SIGPIPE)
      try? BrokenPipe.makeWriter().writeWithoutSignal(Data([1]))
      pthread_sigmask(SIG_SETMASK, &mask, nil)
    }
  }

  @Test func `A write leaves the signal mask unchanged`() async {
    await #expect(processExitsWith: .signal(SIGPIPE)) {
      BrokenPipe.restoreDefaultSignal()
      let writer = try BrokenPipe.makeWriter()
      try? writer.writeWithoutSignal(Data([1]))
      try writer.write(contentsOf: Data([1]))
    }
  }

  @Test func `A sink of JSON lines continues if its file has no reader`() async {
    await #expect(processExitsWith: .success) {
      BrokenPipe.restoreDefaultSignal()
      let lines = LineWriter(try BrokenPipe.makeWriter())
      for _ in 0..<3 {
        LogSink(lines).write(LogEntry(.info, .server, "request", [.count("status", 200)]))
        await lines.flush(within: .seconds(60))
      }
    }
  }

  @Test func `A sink continues if standard error has no reader`() async {
    await #expect(processExitsWith: .success) {
      BrokenPipe.restoreDefaultSignal()
      let writer = try BrokenPipe.makeWriter()
      let original = dup(STDERR_FILENO)
      #expect(dup2(writer.fileDescriptor, STDERR_FILENO) == STDERR_FILENO)
      let log = AppLogger(.store, to: .standardError())
      for number in 0..<3 { log.warning("nobody reads this", .count("number", number)) }
      // The test library writes to standard error at the end.
      dup2(original, STDERR_FILENO)
    }
  }
}
