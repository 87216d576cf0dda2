import Foundation
import OffshoreHTTP
import Synchronization
import Testing

// Each in a process of its own, since a signal interrupts whichever thread waits for a socket.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TerminationSignalsTests {
  @Test func `A server stops gracefully at SIGTERM, and the process ends by itself`() async {
    await #expect(processExitsWith: .success) {
      let tests = TerminationSignalsTests()
      try await tests.serve { kill(getpid(), SIGTERM) }
    }
  }

  @Test func `A server stops gracefully at Ctrl-C, and the process ends by itself`() async {
    await #expect(processExitsWith: .success) {
      let tests = TerminationSignalsTests()
      try await tests.serve { kill(getpid(), SIGINT) }
    }
  }

  private func serve(_ announce: () -> Void) async throws {
    let server = HTTPServer(.forTests) { _ in .text("") }
    let port = try server.start()
    await TerminationSignals.wait(whenReady: announce)
    await server.stop()
    #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: port) }
  }

  @Test func `One signal resumes all callers`() async {
    await #expect(processExitsWith: .success) {
      let tests = TerminationSignalsTests()
      await tests.waitTwice()
    }
  }

  private func waitTwice() async {
    let ready = Mutex(0)
    @Sendable func announce() {
      let count = ready.withLock { count in
        count += 1
        return count
      }
      if count == 2 { kill(getpid(), SIGTERM) }
    }
    async let first: Void = TerminationSignals.wait(whenReady: announce)
    await TerminationSignals.wait(whenReady: announce)
    await first
  }

  @Test func `A second signal ends the process`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      await TerminationSignals.wait { kill(getpid(), SIGTERM) }
      await TerminationSignals.wait(for: [SIGUSR1]) { kill(getpid(), SIGTERM) }
    }
  }

  @Test func `A cancelled wait ends, and leaves signals to their default`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let wait = Task { await TerminationSignals.wait() }
      wait.cancel()
      await wait.value
      await TerminationSignals.wait(for: [SIGUSR1]) { kill(getpid(), SIGTERM) }
    }
  }

  @Test func `A wait continues when another signal arrives`() async {
    await #expect(processExitsWith: .success) {
      let ended = Mutex<[Int32]>([])
      let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
      let other = Task {
        await TerminationSignals.wait(for: [SIGUSR1]) { continuation.finish() }
        ended.withLock { $0.append(SIGUSR1) }
      }
      for await _ in ready {}
      await TerminationSignals.wait { kill(getpid(), SIGTERM) }
      ended.withLock { $0.append(SIGTERM) }
      kill(getpid(), SIGUSR1)
      await other.value
      #expect(ended.withLock { $0 } == [SIGTERM, SIGUSR1])
    }
  }
}
