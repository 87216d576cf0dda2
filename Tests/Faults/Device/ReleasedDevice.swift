import Foundation
import Offshore
import OffshoreSync

/// A device with a release of an app, which obeys the lines of its input: `write` with an SQL statement,
/// `send`, and `show`. After each line it prints `done`.
struct ReleasedDevice {
  private let release: Release
  private let store: SyncedStore
  private let driver: SyncDriver

  /// Opens a file or creates it, and starts to sync.
  /// - Parameter arguments: the file, the address of the server, the account, and its token.
  init(_ release: Release, _ arguments: ArraySlice<String>) async throws {
    let arguments = Array(arguments)
    guard arguments.count == 4, let server = URL(string: arguments[1]),
      let account = UUID(uuidString: arguments[2])
    else { throw CocoaError(.formatting) }
    self.release = release
    store = try SyncedStore(arguments[0], schema: release.schema)
    try await store.link(LinkedAccount(id: account, name: "ida"), token: arguments[3])
    var timing = SyncEngine.Timing()
    (timing.firstDelay, timing.longestDelay) = (20, 200)
    driver = SyncDriver(
      store.database, store.replica, over: HTTPTransport(server), timing: timing)
    await driver.setToken(arguments[3])
    await driver.start()
  }

  /// Obeys all lines.
  func obey(_ lines: AsyncStream<String>) async throws {
    for await line in lines {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      switch words.first {
      case "write": try await write(words.last ?? "")
      case "send": await send()
      default: try await show()
      }
      Ledger.tell("done\n")
    }
    await driver.stop()
    await store.close()
  }

  private func write(_ statement: String) async throws {
    try await store.write { try SQL(raw: statement).run($0) }
  }

  /// Pulls, and sends all changes. Prints the code of a failure.
  private func send() async {
    var failure: SyncEngine.Failure?
    // The server may have ended a connection since.
    for _ in 0..<20 where failure.map({ $0.code == .unreachable }) ?? true {
      do throws(SyncEngine.Failure) {
        return try await driver.drain()
      } catch {
        failure = error
      }
    }
    if let failure { Ledger.tell("\(failure.code)\n") }
  }

  private func show() async throws {
    let rows = try await store.read { [release] in try release.lines.all($0, as: String.self) }
    for row in rows { Ledger.tell("\(row)\n") }
  }
}
