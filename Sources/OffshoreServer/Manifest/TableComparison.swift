import OffshoreWire

/// The comparison of a table in the manifests of two releases.
struct TableComparison: PartComparison {
  let place: String
  let former: SyncedTable?
  let next: SyncedTable?

  var differences: [ManifestDifference] {
    guard let next else { return [missing] }
    guard let former else {
      return [
        safe(
          "Added. Devices of former releases store its rows, and show them after their update."
            + (next.fileColumns.isEmpty ? "" : " \(ColumnComparison.fileUse)"))
      ]
    }
    return ofTable(former, next) + columns(former, next)
  }

  private var missing: ManifestDifference {
    refused(
      """
      It is missing, and devices of former releases have rows of it. If it was removed, declare it as \
      retired: “SyncTable(…).retired()”. If it was renamed, declare its former name: “formerly:”.
      """)
  }

  // MARK: - The table

  private func ofTable(_ former: SyncedTable, _ next: SyncedTable) -> [ManifestDifference] {
    var differences: [ManifestDifference] = []
    if former.presentName != next.presentName {
      differences.append(
        safe("Renamed to “\(next.presentName)”. In messages it is still “\(next.name)”."))
    }
    if former.isRetired != next.isRetired {
      differences.append(
        next.isRetired
          ? noticed(
            """
            Retired. Devices of former releases go on with it. Those of this release store its rows without \
            showing them.
            """)
          : safe("It is not retired any more. Devices show the rows that they have stored."))
    }
    if let scope = scope(former, next) { differences.append(scope) }
    return differences + writers(former, next) + keys(former, next)
  }

  private func scope(_ former: SyncedTable, _ next: SyncedTable) -> ManifestDifference? {
    // The name of the id column is not part of messages.
    let columns = [former, next].map { $0.scopeColumn == $0.idColumn ? nil : $0.scopeColumn }
    guard former.scopeKind != next.scopeKind || columns[0] != columns[1] else { return nil }
    return refused(
      """
      Its rows belonged to scopes of the kind “\(former.scopeKind)” by the column \
      “\(former.scopeColumn)”, and stored rows stay there. Declare another table, let the app copy the \
      rows, and retire this one.
      """)
  }

  private func writers(_ former: SyncedTable, _ next: SyncedTable) -> [ManifestDifference] {
    guard former.writers != next.writers else { return [] }
    return [
      next.writers == .members
        ? noticed(
          "All members may write it. Devices of former releases refuse that until their update.")
        : noticed(
          """
          Fewer members may write it. Changes of others that devices of former releases make are refused \
          with the code “forbidden”, and listed there.
          """)
    ]
  }

  private func keys(_ former: SyncedTable, _ next: SyncedTable) -> [ManifestDifference] {
    if former.idSource != next.idSource {
      return [
        refused(
          """
          The ids of its rows were derived from \(Self.list(former.idSource)), now from \
          \(Self.list(next.idSource)), so that one row would have two ids. Declare another table, let the \
          app copy the rows, and retire this one.
          """)
      ]
    }
    guard former.uniqueKeys != next.uniqueKeys else { return [] }
    let added = next.uniqueKeys.filter { !former.uniqueKeys.contains($0) }
    return [
      noticed(
        added.isEmpty
          ? """
          A unique key was removed. Devices of former releases hide a row that has the same values as \
          another, until their update.
          """
          : """
          \(added.map(Self.list).joined(separator: "; ")) became unique. Of rows with the same values, \
          devices of this release show one, until the others are changed elsewhere.
          """)
    ]
  }

  private static func list(_ columns: [String]) -> String {
    columns.isEmpty ? "nothing" : columns.map { "“\($0)”" }.joined(separator: ", ")
  }

  // MARK: - Columns

  private func columns(_ former: SyncedTable, _ next: SyncedTable) -> [ManifestDifference] {
    let names = Set(former.columns.map(\.name)).union(next.columns.map(\.name))
    return names.sorted().flatMap { name in
      ColumnComparison(
        place: "\(place).columns.\(name)", former: former[name], next: next[name]
      ).differences
    }
  }
}
