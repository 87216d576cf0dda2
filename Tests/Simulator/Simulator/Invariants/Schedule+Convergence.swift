import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport

/// Checks of the rows that devices show in the end.
extension Schedule {
  /// Checks that a device shows the server's rows of all scopes that its account may read.
  func checkConvergence(of device: SimulatedDevice) throws {
    let readable = try scopes(of: device)
    let expected = expectedRows(of: device, readable)
    let texts = Set(readable.map(\.text))
    let shown = try device.rows().filter { row, values in
      texts.contains(scopeText(row, values, device.version))
    }
    for row in Set(expected.keys).union(shown.keys).sorted() where expected[row] != shown[row] {
      throw Violation(
        .convergence,
        "\(device.name) shows \(describe(shown[row])) as \(row), not \(describe(expected[row])).")
    }
  }

  private func scopes(of device: SimulatedDevice) throws -> [ScopeID] {
    try (boards + [device.personalScope]).filter {
      server.history.role(of: device.account, in: $0)?.canRead == true
    }
  }

  /// Returns the living rows, each from the first scope that has it, without rows whose references
  /// point to hidden rows.
  private func expectedRows(
    of device: SimulatedDevice, _ scopes: [ScopeID]
  ) -> [RowID: [String: WireValue]] {
    var rows: [RowID: [String: WireValue]] = [:]
    for scope in scopes.sorted(by: { $0.text > $1.text }) {
      for row in server.log.rows(in: scope, after: 0, limit: .max) where row.state.isLiving {
        rows[row.row] = values(of: row, device.version)
      }
    }
    let kept = leftRows(of: device)
    while true {
      let dangling = rows.filter { row, values in
        references(row.table).contains { table, column in
          guard let id = values[column]?.string else { return false }
          let target = RowID(table: table, id: id)
          return rows[target] == nil && !kept.contains(target)
        }
      }
      if dangling.isEmpty { return rows }
      for row in dangling.keys { rows[row] = nil }
    }
  }

  /// Returns the rows of scopes that the account has left. They stay and may be referred to.
  private func leftRows(of device: SimulatedDevice) -> Set<RowID> {
    guard let rows = try? device.rows() else { return [] }
    return Set(
      rows.filter { row, values in
        guard let scope = try? ScopeID(scopeText(row, values, device.version)) else { return false }
        return server.history.role(of: device.account, in: scope) == .left
      }.keys)
  }

  private func references(_ table: String) -> [(table: String, column: String)] {
    switch table {
    case "cards", "seats", "ties": [("boards", "boardID")]
    case "notes": [("boards", "boardID"), ("cards", "cardID")]
    default: []
    }
  }

  private func values(of row: SyncedRow, _ version: AppVersion) -> [String: WireValue] {
    var values: [String: WireValue] = [:]
    for column in version.tables.first(where: { $0.name == row.row.table })?.columns ?? [] {
      values[column.name] = column.value(of: row.state.fields) ?? .null
    }
    return values
  }

  private func scopeText(
    _ row: RowID, _ values: [String: WireValue], _ version: AppVersion
  ) -> String {
    switch row.table {
    case "boards": "board/\(row.id)"
    case "memos": "person/\(values["ownerID"]?.string ?? "")"
    default: "board/\(values["boardID"]?.string ?? "")"
    }
  }

  private func describe(_ values: [String: WireValue]?) -> String {
    guard let values else { return "nothing" }
    let columns = values.sorted { $0.key < $1.key }.map { "\($0)=\($1.spelled)" }
    return "[\(columns.joined(separator: " "))]"
  }
}
