import CSQLite
import Testing

@testable import Offshore

struct ReadTicketTests {
  private let test: TestConnection
  private var connection: Connection { test.connection }

  init() throws { test = try TestConnection("CREATE TABLE notes (text)") }

  /// Calls a closure, at most a number of times, when the connection starts to roll back.
  private final class RollBackTrace {
    private let body: () -> Void
    private(set) var remaining: Int

    init(_ connection: Connection, atMost count: Int, _ body: @escaping () -> Void) {
      self.body = body
      remaining = count
      sqlite3_trace_v2(
        connection.handle, UInt32(SQLITE_TRACE_STMT),
        { _, context, _, text in
          guard let context, let text else { return 0 }
          let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
          guard sql == "ROLLBACK" else { return 0 }
          Unmanaged<RollBackTrace>.fromOpaque(context).takeUnretainedValue().callBody()
          return 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func callBody() {
      guard remaining > 0 else { return }
      remaining -= 1
      body()
    }
  }

  @Test func `A read that is cancelled at its very end does not keep its transaction`() throws {
    let ticket = ReadTicket()
    // More often than any number of attempts.
    let trace = RollBackTrace(connection, atMost: 1000) { ticket.cancel() }
    let values = try ticket.run(on: connection) { try $0.integers("SELECT 7") }
    #expect(values == [7])
    #expect(trace.remaining < 1000)
    #expect(!connection.isInTransaction)
  }

  @Test func `An interrupted ROLLBACK is retried`() throws {
    let handle = connection.handle
    let trace = RollBackTrace(connection, atMost: 3) { sqlite3_interrupt(handle) }
    #expect(try connection.read { try $0.integers("SELECT 7") } == [7])
    #expect(trace.remaining == 0)
    #expect(!connection.isInTransaction)
  }

  @Test func `A ticket that was cancelled before its turn runs nothing`() {
    let ticket = ReadTicket()
    ticket.cancel()
    #expect(throws: CancellationError.self) {
      try ticket.run(on: connection) { _ in Issue.record("It ran.") }
    }
  }
}
