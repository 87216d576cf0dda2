import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// Facts about the data of a phone, from which a dock infers actions of the user.
///
/// The names of rows, conflicts and scopes are the same on all devices, so a dock can compare those
/// of its phones.
package struct PhoneFacts: Codable, Equatable, Sendable {
  /// The scopes in which the account is a member but not an owner.
  package var joinedScopes: Set<String> = []
  /// The items that are ticked.
  package var tickedItems: Set<String> = []
  /// The rows whose text was written on this phone and is not confirmed by the server.
  package var pendingTexts: Set<String> = []
  /// The conflicts about texts.
  package var textConflicts: Set<String> = []

  /// Creates the facts about a phone without data.
  package init() {}
}

/// A change of another device that has arrived on a phone.
///
/// The duration starts at the end of the transaction that wrote the change on the other device. It
/// ends when an observation of this phone's file delivers the change, as to open pages. It contains
/// both commits and the transfer through the server, but not the rendering by a browser. Both
/// devices read the clock of one machine; the time of the write is exact to a millisecond.
package struct Arrival: Codable, Equatable, Sendable {
  /// The time of the write, in milliseconds since 1970.
  package var written: Int64
  /// The duration from the write to the arrival.
  package var milliseconds: Int
}

/// A query for the facts in one transaction, with the stamp of the latest change of another device.
struct FactsReader: Sendable {
  struct Result: Equatable, Sendable {
    var facts = PhoneFacts()
    var latest: Stamp?
  }

  let store: SyncedStore
  private let rows: ReportedRows
  private var text: (table: String, column: String) { rows.textColumn }

  init(_ store: SyncedStore, _ rows: ReportedRows) { (self.store, self.rows) = (store, rows) }

  /// Reads the facts.
  /// - Throws: `DatabaseError`; the error of syncing or `WireError` if the file is damaged.
  func read(_ reader: Reader) throws -> Result {
    guard try SyncedStore.isLinked(reader) else { return Result() }
    var result = Result()
    result.facts.joinedScopes = Set(try store.joinedScopes(reader).map(\.text))
    result.facts.tickedItems = try rows.tickedItems(reader)
    result.facts.pendingTexts = try pendingTexts(reader)
    result.facts.textConflicts = try textConflicts(
      in: Array(store.sharedRoles(reader).keys), reader)
    // The row with the id changes with every change of this device.
    let device = try reader.unobserved { try store.replica.device($0) }
    result.latest = try store.replica.latestEdit(in: rows.timedTable, notBy: device, reader)
    return result
  }

  private func pendingTexts(_ reader: Reader) throws -> Set<String> {
    let rows = try store.replica.outbox.changes(reader)
      .filter { $0.row.table == text.table && $0.kind != .deleted }
      .filter { try store.replica.hasValue(in: text.column, of: $0.row, reader) }
    return Set(rows.map(\.row.id))
  }

  private func textConflicts(in scopes: [ScopeID], _ reader: Reader) throws -> Set<String> {
    let conflicts = try scopes.flatMap { try store.replica.conflicts(in: $0, reader) }.filter {
      $0.row.table == text.table && $0.field == text.column && $0.losing != $0.winning
    }
    return Set(conflicts.map { "\($0.row.id) \($0.losingStamp) \($0.winningStamp)" })
  }
}

extension SyncedStore {
  /// Returns the scopes in which the account is a member but not an owner.
  func joinedScopes(_ reader: Reader) throws -> [ScopeID] {
    try sharedRoles(reader).filter { $0.value == .editor || $0.value == .viewer }.map(\.key)
  }

  /// Returns the roles of the account in scopes of the claimable kinds.
  fileprivate func sharedRoles(_ reader: Reader) throws -> [ScopeID: Role] {
    try replica.schema.manifest.claimableKinds.reduce(into: [:]) { roles, kind in
      roles.merge(try self.roles(inScopesOf: kind, reader)) { $1 }
    }
  }
}

/// A reporter of the facts about the first app with reported rows, and of arriving changes.
@MainActor
struct FactsReporter {
  private let reader: FactsReader
  private let now: () -> Int64
  private let send: (PhoneMessage) -> Void

  /// Starts to report, if an app has reported rows.
  /// - Returns: the task, which reports until it is cancelled.
  static func start(
    _ apps: [RunningApp],
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) },
    send: @escaping @Sendable (PhoneMessage) -> Void
  ) -> Task<Void, Never>? {
    for app in apps {
      guard let rows = app.openApp.demonstration?.reported else { continue }
      let reader = FactsReader(app.store, rows)
      return Task { await FactsReporter(reader: reader, now: now, send: send).run() }
    }
    return nil
  }

  /// Observes the file until the task is cancelled or the file is closed.
  private func run() async {
    var last: FactsReader.Result?
    let results = reader.store.values { [reader] in try reader.read($0) }
    do {
      for try await result in results {
        if result.facts != last?.facts { send(.facts(result.facts)) }
        // The first result contains changes that arrived earlier.
        if let last, let stamp = result.latest, last.latest.map({ $0 < stamp }) ?? true {
          let written = stamp.milliseconds
          send(.arrival(Arrival(written: written, milliseconds: Int(max(0, now() - written)))))
        }
        last = result
      }
    } catch {
      // A demonstration works without its facts.
    }
  }
}
