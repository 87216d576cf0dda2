import Offshore
import OffshoreFiles
package import OffshoreSync
import OffshoreWire

/// The file of ShiftScheduler: the records of a user are one scope, which is personal, and each team is another.
package enum ShiftSchema {
  /// The kind of the personal scope of a user.
  static let personKind = "person"
  /// The kind of the scope of a team.
  package static let teamKind = "team"

  /// The declaration of a file of ShiftScheduler.
  package static let current = StoreSchema(
    migrations: Migrations(migrations), sync: try makeSync())

  private static func makeSync() throws -> SyncSchema {
    try SyncSchema(
      version: 1,
      SyncTable(
        ElementRow<Location>.self, scope: .kind(personKind, \.userID), title: \.element.name),
      SyncTable(
        ElementRow<ShiftType>.self, scope: .kind(personKind, \.userID), title: \.element.title),
      SyncTable(
        ElementRow<ScheduledShift>.self, scope: .kind(personKind, \.userID), title: \.element.date),
      SyncTable(ChangeRow<ScheduleChange>.self, scope: .kind(personKind, \.userID)),
      SyncTable(Team.self, scope: .kind(teamKind, \.id), title: \.name, writers: .owners),
      SyncTable(
        PublishedShift.self, scope: .kind(teamKind, \.teamID), idSource: [\.shiftID, \.teamID],
        title: \.title, partOf: (Team.self, \.teamID), writers: .owners),
      SyncTable(
        SwapOffer.self, scope: .kind(teamKind, \.teamID),
        partOf: (PublishedShift.self, \.publishedID), writers: .author(\.authorID)),
      SyncTable(
        SwapAnswer.self, scope: .kind(teamKind, \.teamID), idSource: [\.offerID, \.authorID],
        partOf: (SwapOffer.self, \.offerID), writers: .author(\.authorID)),
      SyncTable(
        SwapDecision.self, scope: .kind(teamKind, \.teamID), idSource: [\.offerID, \.kind],
        partOf: (SwapOffer.self, \.offerID), writers: .owners),
      claimableKinds: [teamKind], personalKinds: [personKind])
  }

  /// The migrations of a file, in their order. Released migrations never change.
  static let migrations = [
    Migration(
      "v1.0.0_createSchedule", .create(Location.rows), .create(ShiftType.rows),
      .create(ScheduledShift.rows), .create(ScheduleChange.rows), .create(Team.table),
      .create(PublishedShift.table), .create(SwapOffer.table), .create(SwapAnswer.table),
      .create(SwapDecision.table))
  ]
}

/// The database file with a user's locations, shift types, shifts and changes.
public final class ShiftDatabase: Sendable {
  /// The file with its user and account.
  package let store: SyncedStore

  /// Opens a file, which is created if it does not exist, and migrates it to this version.
  /// - Throws: `DatabaseError`. The file is then as the last complete migration left it.
  public convenience init(path: String) throws {
    self.init(try SyncedStore(path, schema: ShiftSchema.current))
  }

  /// Creates the database of an open file.
  package init(_ store: SyncedStore) { self.store = store }

  /// Creates an empty database, which is discarded together with the object.
  /// - Throws: `DatabaseError`.
  public static func makeEmpty() throws -> ShiftDatabase {
    ShiftDatabase(try .temporary(schema: ShiftSchema.current))
  }
}
