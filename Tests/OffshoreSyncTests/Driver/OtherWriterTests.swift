import Dispatch
import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshoreSync

/// A program without the library that writes to the file of a syncing app, in its own process.
@Suite(.timeLimit(.minutes(1)))
struct OtherWriterTests {
  private static let program = """
    import sqlite3, sys, time
    connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
    connection.execute("INSERT INTO charters VALUES ('c1', 'Alma')")
    connection.execute(
        "INSERT INTO tasks (id, charterID, title, votes) VALUES ('t1', 'c1', 'Sails', 0)")
    print(time.clock_gettime_ns(time.CLOCK_MONOTONIC), flush=True)
    sys.stdin.read()
    """

  @Test func `A write by another program reaches the server within a second`()
    async throws
  {
    await #expect(processExitsWith: .success) { try await OtherWriterTests().run() }
  }

  private func run() async throws {
    let server = try await LoopbackServer.fleet()
    let folder = try TemporaryFolder()
    let path = folder.file("fleet.sqlite")
    let device = try await LoopbackDevice(1, of: server.url, path: path)
    await device.driver.start()
    await device.wait { $0.isListening && $0.phase == .idle }
    let program = try FaultProcess(python: Self.program, [path])
    let values = device.database.values { [replica = device.replica] reader in
      let titles = try SQL("SELECT title FROM tasks").all(reader, as: String.self)
      return titles.isEmpty ? -1 : try replica.status(reader).pending
    }
    for try await pending in values where pending == 0 { break }
    let end = DispatchTime.now().uptimeNanoseconds
    let line = try #require(await program.lines(1).first, "It failed: \(program.errors)")
    let delay = Int64(end) - (try #require(Int64(line)))
    #expect(delay < 1_000_000_000, "It took \(delay / 1_000_000) ms.")
    let rows = try await server.storage.read { log in
      try log.rows(in: ScopeID(kind: "charter", value: "c1"), after: Int64(0), limit: 10)
    }
    #expect(rows.count { $0.row.table != MemberRow.table } == 2)
    program.endInput()
    #expect(await program.status() == 0)
    await device.end()
    await server.stop()
  }
}
