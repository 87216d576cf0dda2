public import Foundation
public import Offshore
import OffshoreWire

/// The state of a row of which the server lacks a change or a file, or has refused a change.
public struct SendingState: Hashable, Sendable {
  /// The status of the row's changes: `synced` if the server lacks only a file.
  public var status: RowStatus
  /// The number of times that the server has refused the change or the file, since the user has last retried
  /// it.
  public var attempts: Int
  /// The reason of the last refusal, or `nil` if there was none.
  public var reason: RefusedChange.Reason?
  /// The time from which the change or the file is sent again, or `nil` if it was not refused, is being sent or
  /// waits for the user.
  public var nextTry: Date?
  /// Whether the server may have a change that it has not acknowledged, or lacks only a file, so that the
  /// change cannot be cancelled or edited any more.
  public var mayHaveLeft: Bool
  /// Whether this device has still to send a file to which the row refers; see ``FileStatus``. It is sent
  /// after the server has accepted the row.
  public var hasUnsentFile: Bool

  /// Creates a state.
  public init(
    status: RowStatus, attempts: Int = 0, reason: RefusedChange.Reason? = nil, nextTry: Date? = nil,
    mayHaveLeft: Bool = false, hasUnsentFile: Bool = false
  ) {
    (self.status, self.attempts, self.reason) = (status, attempts, reason)
    (self.nextTry, self.mayHaveLeft, self.hasUnsentFile) = (nextTry, mayHaveLeft, hasUnsentFile)
  }
}

extension Replica {
  /// Returns the sending states of rows, by their ids. Rows of which the server has all changes and files,
  /// and of which it has refused none, are left out.
  ///
  /// Call it once for all rows of a page or a derivation: it looks up each row by its key, reads the captured
  /// changes once, and decodes only batches that were part of a request or were refused, in the scopes of these
  /// rows. The length of the queue behind these does not matter.
  /// - Parameters:
  ///   - ids: the keys of the rows.
  ///   - table: the name of their table.
  /// - Returns: an empty dictionary if the table is not synced.
  /// - Throws: ``ReplicaError``: `notInstalled`, `damaged`. `DatabaseError`.
  public func sendingStates(
    of ids: Set<String>, in table: String, _ reader: Reader
  ) throws -> [String: SendingState] {
    guard !ids.isEmpty, let table = schema[table] else { return [:] }
    var states = try SendingStates(table: table, ids: ids, reader: reader)
    try states.addPending()
    try states.addRefusals()
    try states.addFiles()
    return states.all
  }
}

extension SyncedStore {
  /// Returns the sending states of rows, as ``Replica/sendingStates(of:in:_:)`` does; none in a file without an
  /// account.
  /// - Throws: ``ReplicaError`` with the code `damaged`; `DatabaseError`.
  public func sendingStates(
    of ids: Set<String>, in table: String, _ reader: Reader
  ) throws -> [String: SendingState] {
    try Self.isLinked(reader) ? try replica.sendingStates(of: ids, in: table, reader) : [:]
  }
}

/// The sending states of rows of a table, as they are read from the tables of the device.
private struct SendingStates {
  private let table: SyncTable
  private let ids: Set<String>
  /// The ids as a JSON array.
  private let keys: String
  private let reader: Reader
  private(set) var all: [String: SendingState] = [:]

  init(table: SyncTable, ids: Set<String>, reader: Reader) throws {
    (self.table, self.ids, self.reader) = (table, ids, reader)
    keys = try Self.json(ids)
  }

  private static func json(_ texts: Set<String>) throws -> String {
    String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
  }

  private mutating func change(
    _ id: String, _ status: RowStatus, _ body: (inout SendingState) -> Void = { _ in }
  ) {
    var state = all[id] ?? SendingState(status: status)
    body(&state)
    all[id] = state
  }

  // MARK: - Pending changes

  mutating func addPending() throws {
    if let number = try CaptureLayout(reader).number(of: table.sentName) {
      // NB: The journal has no index. So it is read once for all rows.
      let captured = try SQL(
        """
        SELECT DISTINCT id FROM _outbox
        WHERE tbl = \(number) AND typeof(id) = 'text' AND id IN (SELECT value FROM json_each(\(keys)))
        """
      ).all(reader, as: String.self)
      for id in captured { change(id, .pending) }
    }
    let shadows = try SQL(
      """
      SELECT s.id, s.scope FROM json_each(\(keys)) k
      CROSS JOIN _shadow s ON s.tbl = \(table.sentName) AND s.id = k.value
      WHERE s.reason IS NULL
      """
    ).all(reader, as: String.self, String.self)
    for (id, _) in shadows { change(id, .pending) }
    try addBatches(of: Set(shadows.map(\.1)))
  }

  /// Adds the facts of the batches that may have left the device or were refused.
  private mutating func addBatches(of scopes: Set<String>) throws {
    guard !scopes.isEmpty else { return }
    let list = try Self.json(scopes)
    // NB: SQL that reads no content. Batches that were neither refused nor part of a request have no facts.
    let found = try SQL(
      """
      SELECT b.k FROM json_each(\(list)) s
      CROSS JOIN _batch b ON b.scope = s.value LEFT JOIN _cursor c ON c.scope = b.scope
      WHERE b.phase <> \(SealedBatch.Phase.waiting.rawValue) OR b.attempts <> 0
        OR b.number <= c.offered OR b.device IS NOT c.device
      """
    ).all(reader, as: Int64.self)
    guard !found.isEmpty else { return }
    var unsent = UnsentBatches(reader)
    for sealed in try SealedBatch.where({ $0.key.in(found) }).order({ $0.key }).all(reader) {
      let own = sealed.batch.ops.filter {
        $0.row.table == table.sentName && ids.contains($0.row.id)
      }
      guard !own.isEmpty else { continue }
      let wasSent = try !unsent.contains(sealed)
      let refusal = sealed.phase == .applied ? nil : sealed.refusal
      for op in own {
        change(op.row.id, .pending) { state in
          if wasSent { state.mayHaveLeft = true }
          guard let refusal else { return }
          state.attempts = refusal.attempts
          state.reason = RefusedChange.Reason(refusal.rejection)
          state.nextTry = refusal.nextTry.map { Date(milliseconds: $0) }
        }
      }
    }
  }

  // MARK: - Refused changes and files

  mutating func addRefusals() throws {
    let refused = try SQL(
      """
      SELECT d.id, d.code, d.message, d.attempts FROM json_each(\(keys)) k
      CROSS JOIN _dead d ON d.tbl = \(table.sentName) AND d.id = k.value
      ORDER BY d.number
      """
    ).all(reader, as: String.self, String.self, String.self, Int.self)
    for (id, code, message, attempts) in refused {
      change(id, .refused) { state in
        state.status = .refused
        state.attempts = attempts
        state.reason = RefusedChange.Reason(Rejection(.init(rawValue: code), message))
        state.nextTry = nil
      }
    }
  }

  mutating func addFiles() throws {
    for column in table.files.keys {
      let unsent = try FileTriggers(table: table).unsentFiles(of: column, inRows: keys)
        .all(reader, as: String.self, String?.self, Int.self, Int64.self)
      for (id, problem, attempts, due) in unsent {
        change(id, .synced) { state in
          state.hasUnsentFile = true
          guard state.status == .synced else { return }
          state.mayHaveLeft = true
          guard let problem else { return }
          state.attempts = max(state.attempts, attempts)
          state.reason = RefusedChange.Reason(fileProblem: problem)
          state.nextTry = FileQueue.date(ofTry: due)
        }
      }
    }
  }
}
