import Offshore
package import OffshoreSync

/// The declaration of a file of ShiftScheduler.
package enum ShiftSchema {
  package static let current = StoreSchema(migrations: Migrations(migrations))

  /// The migrations of a file, in their order. Released migrations never change.
  static let migrations = [
    Migration(
      "v1.0.0_createSchedule", .create(LocationRow.table), .create(ShiftTypeRow.table),
      .create(ShiftRow.table), .create(ChangeRow.table))
  ]

  static let records: [any Record.Type] = [
    LocationRow.self, ShiftTypeRow.self, ShiftRow.self, ChangeRow.self,
  ]
}
