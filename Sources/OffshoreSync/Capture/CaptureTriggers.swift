import Offshore
import OffshoreWire

/// The triggers that note the changes of a synced table in `_outbox`.
///
/// An entry has the key, the kind, a mask of the columns that changed, and their old values in the
/// columns `o0`, `o1` and so on. New values are never noted: they are read when the changes are
/// sealed. The old ones serve three ends at the price of one appended row: a change can be
/// cancelled exactly; the values of any earlier moment can be worked out, so that the oldest
/// transactions can be sealed while later ones wait; and the confirmed values of a row are known
/// without a second table that every statement would have to search for the row.
///
/// They are SQLite's own values in columns without a type, so they are kept bit for bit. A deletion
/// keeps all columns, the local ones too, because a row comes back whole; those of a local column are
/// read by nothing else.
///
/// NB: The text names neither `OR REPLACE` nor any table without row ids, for which a connection
/// would no longer tell observations which rows have changed. Nor can a trigger fail: a connection
/// relies on that where it inserts rows.
struct CaptureTriggers {
  /// What an entry of the journal is.
  enum Kind: Int64 {
    case insert = 1
    case update, delete
    /// An edit that writes the value that a column has, to decide a conflict about it. No trigger records one.
    case restatement

    /// Whether the row begins or ends with it.
    var changesPresence: Bool { self == .insert || self == .delete }
  }

  static let prefix = Connection.notingTriggerPrefix

  let table: SyncTable
  let number: Int
  /// The columns by place in the journal.
  let places: [String]

  /// The statements by the names of the triggers that they make.
  var statements: [String: String] {
    var statements = [name("insert"): insertion, name("delete"): deletion, name("key"): keyChange]
    if !synced.isEmpty { statements[name("update")] = update }
    return statements
  }

  private var synced: [(place: Int, name: String)] {
    let names = Set(table.syncedColumns.map(\.name))
    return places.enumerated().filter { names.contains($1) }.map { ($0, $1) }
  }

  private var present: [(place: Int, name: String)] {
    let names = Set(table.definitions.map(\.name))
    return places.enumerated().filter { names.contains($1) }.map { ($0, $1) }
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

  /// A row with another key is another row.
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

  /// One look at `_state` tells the transaction and whether to capture at all; two would cost a
  /// twentieth more.
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

  /// Whether a column has changed, whatever its collation takes for equal.
  private func differs(_ column: String) -> String {
    let name = quoted(column)
    let definition = table.definitions.first { $0.name == column }
    let collate =
      definition?.collation.map { $0 == .binary ? "" : " COLLATE BINARY" } ?? ""
    let isOther = "old.\(name)\(collate) IS NOT new.\(name)\(collate)"
    // Only a column that takes all types can hold 1 and then 1.0.
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
