import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A synced row of an id and eight columns of the usual types, two of them optional.
struct Errand: Identifiable, Equatable, Sendable, Codable {
  let id: UUID
  var charterID: String
  var title: String
  var note: String?
  var items: String
  var hours: Double?
  var votes: Int
  var rank: Int
  var isOpen: Bool
}

extension Errand: Record {
  static let table = Table(
    "errands", Errand.init,
    Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID),
    Column("title", \.title),
    Column("note", \.note),
    Column("items", \.items),
    Column("hours", \.hours),
    Column("votes", \.votes),
    Column("rank", \.rank),
    Column("isOpen", \.isOpen))

  static let creation: SQL = """
    CREATE TABLE errands (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, title TEXT NOT NULL, note TEXT,
      items TEXT NOT NULL, hours REAL, votes INTEGER NOT NULL, rank INTEGER NOT NULL,
      isOpen INTEGER NOT NULL)
    """

  /// - Parameter claimableKinds: The kinds of scopes that a device owns by its first push.
  static func schema(claimableKinds: Set<String> = []) throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Errand.self, scope: .kind("charter", \.charterID)),
      claimableKinds: claimableKinds)
  }

  /// Creates rows of one charter that differ from each other.
  static func rows(_ count: Int) -> [Errand] {
    (0..<count).map { index in
      Errand(
        id: UUID(), charterID: "alma-2026", title: "Errand number \(index)",
        note: index.isMultiple(of: 3) ? nil : "what is longer than fits in a string, \(index)",
        items: #"{"bread":\#(index % 7),"water":true}"#,
        hours: index.isMultiple(of: 2) ? nil : Double(index) / 8, votes: index % 12, rank: index,
        isOpen: index.isMultiple(of: 2))
    }
  }
}

// MARK: - In messages

extension Errand {
  private static let devices = (0..<3).map { _ in DeviceID(UUID()) }

  /// Returns the row as a server sends it, last changed by one of three devices.
  func synced(seq: Int64) -> SyncedRow {
    let stamp = Stamp(
      milliseconds: 1_700_000_000_000 + seq * 20, device: Self.devices[rank % Self.devices.count])
    return SyncedRow(
      RowID(table: "errands", id: id.uuidString), seq: seq,
      state: RowState(stamp: stamp, fields: fields))
  }

  /// Returns the row as a server sends it after another device has changed its title.
  func synced(seq: Int64, retitledAs later: Int64) -> SyncedRow {
    var state = synced(seq: seq).state
    state = RowState(
      stamp: state.stamp, fields: fields.merging(["title": "Changed"]) { $1 },
      versions: ["title": synced(seq: later).state.stamp])
    return SyncedRow(RowID(table: "errands", id: id.uuidString), seq: later, state: state)
  }

  private var fields: [String: WireValue] {
    [
      "charterID": WireValue(charterID), "title": WireValue(title),
      "note": note.map { WireValue($0) } ?? .null, "items": WireValue(items),
      "hours": hours.map { .real($0) } ?? .null, "votes": .integer(Int64(votes)),
      "rank": .integer(Int64(rank)), "isOpen": .integer(isOpen ? 1 : 0),
    ]
  }
}
