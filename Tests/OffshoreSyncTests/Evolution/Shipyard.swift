import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// A server and two devices, of which one is updated later than the other.
final class Shipyard {
  let harbour: Harbour
  private let initialSteps: Int

  /// The device with the server's release.
  var anna: Ship { harbour.ships[0] }
  /// The device with another release, until it is updated.
  var ben: Ship { harbour.ships[1] }

  init(_ release: Release, _ other: Release) throws {
    harbour = try Harbour(
      ships: 1, granting: ["c1", "c2"], schema: release.schema, creating: release.statements)
    initialSteps = other.steps.count
    let ben = try Ship(2, in: harbour, creating: other.statements, schema: other.schema)
    for charter in ["c1", "c2"] { try harbour.grant(.editor, to: ben, charter) }
    harbour.add(ben)
    try harbour.settle()
  }

  /// Installs another release on Ben's device, without the network.
  func update(to release: Release) throws {
    let device = ben.device
    let migrations = release.steps.dropFirst(initialSteps).map { step in
      Migration(step.name) { writer in for sql in step.statements { try sql.run(writer) } }
    }
    try device.connection.migrate(Migrations(migrations))
    harbour.replace(1, by: try Ship(2, in: harbour, device: device, schema: release.schema))
    try device.install(release.schema)
  }

  /// Syncs all devices until nothing changes, and expects them to match the server.
  /// - Parameter hidden: the ids of the rows that one of the devices cannot show.
  func settle(repairs: Int64 = 0, hidden: [String] = []) throws {
    try harbour.settle()
    for ship in harbour.ships {
      let rows = try ship.device.texts("SELECT id FROM _shadow ORDER BY id")
      #expect(try ship.isSettled() || rows == hidden)
      #expect(try ship.dead() == [])
      for charter in ["c1", "c2"] {
        let scope = try ScopeID(kind: "charter", value: charter)
        let cursor = try ship.device.connection.read { try ScopeCursor.of(scope, $0) }
        #expect(cursor.digest == harbour.server.scope(scope).digest)
        #expect(cursor.doubt == .none && cursor.repairs == repairs && cursor.fetch == nil)
      }
      #expect(try wrongRows(of: ship) == [])
    }
  }

  /// Returns the rows whose columns and stored unknown values do not add up to the server's row.
  func wrongRows(of ship: Ship) throws -> [RowID] {
    try ship.device.connection.write { writer in
      let entries = RowEntries(writer: writer)
      let visible = VisibleRows(schema: ship.replica.schema, writer: writer)
      return try entries.rows().filter { row in
        guard try !ShadowRow.of(row).exists(writer) else { return false }
        let table = ship.replica.schema.present[row.table]
        return try entries.all(of: row).values.contains { entry in
          guard entry.version.isLiving else { return false }
          let values = try table.flatMap { try visible.values(of: row, in: $0) } ?? [:]
          let known = table ?? SyncedTable(row.table, scopeKind: "", scopeColumn: "", columns: [])
          return entry.version.state(values, in: known).hash(of: row) != entry.hash
        }
      }
    }
  }

  /// Returns a line for each berth of a device.
  func berths(_ ship: Ship) throws -> [String] {
    let columns = Set(try ship.device.texts("SELECT name FROM pragma_table_info('berths')"))
    let wanted = ["id", "name", "title", "hours", "note", "depth", "items"]
    let list = wanted.filter(columns.contains).map { "ifnull(\($0), '-')" }
    return try ship.device.texts(
      "SELECT \(SQL(raw: list.joined(separator: " || ' ' || "))) FROM berths ORDER BY id")
  }

  func buoys(_ ship: Ship) throws -> [String] {
    try ship.device.texts(
      "SELECT id || ' ' || colour || ' ' || ifnull(berthID, '-') FROM buoys ORDER BY id")
  }

  /// Returns the server's fields of a row.
  func serverFields(_ table: String, _ id: String, in charter: String = "c1") throws
    -> [String: WireValue]
  {
    let scope = try ScopeID(kind: "charter", value: charter)
    return harbour.server.row(RowID(table: table, id: id), in: scope)?.state.fields ?? [:]
  }
}
