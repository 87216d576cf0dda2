import Testing

@testable import OffshoreServer

/// The logs with the same behaviour.
enum LogKind: CaseIterable { case memory, sqlite }

/// A test that runs on any log.
protocol LogTest {
  func run(on log: some ServerLog) async throws
}

/// Runs a test on a new log of a kind.
func onLog(_ kind: LogKind, epoch: UInt64 = 7, _ test: some LogTest) async throws {
  switch kind {
  case .memory: try await test.run(on: MemoryChangeLog(epoch: epoch))
  case .sqlite: try await test.run(on: SQLiteChangeLog.inMemory(epoch: epoch))
  }
}

/// A test of the changes that one transaction makes.
struct OneTransaction: LogTest {
  let body: @Sendable (inout any ChangeLogWriter) throws -> Void

  init(_ body: @escaping @Sendable (inout any ChangeLogWriter) throws -> Void) {
    self.body = body
  }

  func run(on log: some ServerLog) async throws {
    try await log.write { [body] transaction in
      var writer: any ChangeLogWriter = transaction
      try body(&writer)
    }
  }
}
