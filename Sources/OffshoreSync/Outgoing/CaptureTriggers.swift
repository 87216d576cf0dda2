import Offshore
import OffshoreWire

/// The triggers that record the changes of a synced table in `_outbox`.
///
/// An entry has the key, the kind, a mask of the changed columns, and their old values in the
/// columns `o0`, `o1` and so on. New values are not recorded: they are read when the changes are
/// sealed. The old values serve three purposes for the price of one appended row:
///
/// - A change can be cancelled exactly.
/// - The values at any earlier moment can be computed, so the oldest transactions can be sealed
///   without the later ones.
/// - The confirmed values of a row are known without a second table, in which every statement would
///   have to look up the row.
///
/// The columns `o0`, `o1` and so on have no type, so they store SQLite's own values bit for bit. A
/// deletion records all columns, including the local ones, because cancelling it restores the whole
/// row. The old values of a local column have no other use.
///
/// NB: The SQL uses neither `OR REPLACE` nor a `WITHOUT ROWID` table: with either, a connection
/// could not tell its observations which rows changed. A trigger must not fail either, because a
/// connection relies on that when it inserts rows.
struct CaptureTriggers {
  /// The kind of an entry of the journal.
  enum Kind: Int64, CaseIterable {
    case insert = 1
    case update, delete
    /// An edit that writes the value that a column has, to decide a conflict about it. No trigger
    /// records one.
    case restatement

    /// Whether the row begins or ends with it.
    var changesPresence: Bool { self == .insert || self == .delete }
  }

  static let prefix = Connection.notingTriggerPrefix

  let table: SyncTable
  let number: Int
  /// The columns by place in the journal, by their names in messages.
  let places: [String]

  /// The statements that create the triggers, by the names of the triggers.
  var statements: [String: String] {
    var statements = [name("insert"): insertion, name("delete"): deletion, name("key"): keyChange]
    if !synced.isEmpty { statements[name("update")] = update }
    return statements
  }

  private var synced: [(place: Int, name: String)] { placed(table.syncedColumns) }

  private var present: [(place: Int, name: String)] { placed(table.definitions) }

  private func placed(_ columns: [ColumnDefinition]) -> [(place: Int, name: String)] {
    let names = Dictionary(
      columns.map { (table.sentName(of: $0.name), $0.name) },
      uniquingKeysWith: { first, _ in first })
    return places.enumerated().compactMap { place, sent in names[sent].map { (place, $0) } }
  }

  // MARK: - Triggers

  private var insertion: String {
    """
    CREATE TRIGGER \(quoted(name("insert"))) AFTER INSERT ON \(quoted(table.name))
    BEGIN \(entry(.insert, "new")) END
    """
  }

  private var deletion: String {
    """
    CREATE TRIGGER \(quoted(name("delete"))) AFTER DELETE ON \(quoted(table.name))
    BEGIN \(deletionEntry) END
    """
  }

  /// A changed key is recorded as a deletion and an insertion, because the key identifies the row.
  private var keyChange: String {
    """
    CREATE TRIGGER \(quoted(name("key"))) AFTER UPDATE OF \(key) ON \(quoted(table.name))
    WHEN old.\(key) IS NOT new.\(key)
    BEGIN \(deletionEntry) \(entry(.insert, "new")) END
    """
  }

  private var update: String {
    let names = synced.map { quoted($0.name) }.joined(separator: ", ")
    let isChanged = synced.map { differs($0.name) }.joined(separator: " OR ")
    let mask = synced.map { "CASE WHEN \(differs($0.name)) THEN \(1 << $0.place) ELSE 0 END" }
      .joined(separator: " | ")
    let old = synced.map { (place: $0.place, sql: oldWhereChanged($0.name)) }
    return """
      CREATE TRIGGER \(quoted(name("update"))) AFTER UPDATE OF \(names) ON \(quoted(table.name))
      WHEN old.\(key) IS new.\(key) AND (\(isChanged))
      BEGIN \(entry(.update, "new", mask: mask, old: old)) END
      """
  }

  // MARK: - Parts

  private var deletionEntry: String {
    entry(
      .delete, "old", mask: String(present.reduce(Int64(0)) { $0 | 1 << Int64($1.place) }),
      old: present.map { ($0.place, "old.\(quoted($0.name))") })
  }

  /// Returns the statement that appends an entry.
  ///
  /// It reads `_state` once for both the transaction and whether to capture; a second read would
  /// cost 5 % more.
  private func entry(
    _ kind: Kind, _ row: String, mask: String = "0", old: [(place: Int, sql: String)] = []
  ) -> String {
    let columns = old.map { ", o\($0.place)" }.joined()
    let values = old.map { ", \($0.sql)" }.joined()
    return """
      INSERT INTO _outbox (batch, tbl, id, kind, mask\(columns))
      SELECT batch, \(number), \(row).\(key), \(kind.rawValue), \(mask)\(values)
      FROM _state WHERE k = 1 AND applying = 0;
      """
  }

  /// Returns the condition that a column has changed, even if its collation considers both values
  /// equal.
  private func differs(_ column: String) -> String {
    let name = quoted(column)
    let definition = table.definitions.first { $0.name == column }
    let collate =
      definition?.collation.map { $0 == .binary ? "" : " COLLATE BINARY" } ?? ""
    let isOther = "old.\(name)\(collate) IS NOT new.\(name)\(collate)"
    // Only a column that stores every type can change from 1 to 1.0.
    let isAny = definition.map { StorageType(affinityOf: $0.sqlType) == .any } ?? true
    return isAny ? "\(isOther) OR typeof(old.\(name)) IS NOT typeof(new.\(name))" : isOther
  }

  private func oldWhereChanged(_ column: String) -> String {
    "CASE WHEN \(differs(column)) THEN old.\(quoted(column)) END"
  }

  private var key: String { quoted(table.idColumn) }

  private func name(_ event: String) -> String { "\(Self.prefix)\(table.name)_\(event)" }

  private func quoted(_ name: String) -> String { SQL("\(identifier: name)").text }
}
