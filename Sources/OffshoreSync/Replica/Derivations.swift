import Offshore
import OffshoreWire

/// The rules that update columns derived from synced rows, by table.
struct Derivations: Sendable {
  private let rules: [String: Replica.Derivation]

  init(_ rules: [String: Replica.Derivation] = [:]) { self.rules = rules }

  /// The tables that have a rule.
  var tables: Set<String> { Set(rules.keys) }

  /// Runs the rules for rows, by table. Call it while changes are not captured.
  func run(_ ids: [String: Set<String>], _ writer: Writer) throws {
    for (table, ids) in ids.sorted(by: { $0.key < $1.key }) { try rules[table]?(ids, writer) }
  }

  /// Runs the rules for rows that the library changed at the user's request. Their writes are not
  /// captured.
  func run(for rows: some Sequence<RowID>, _ writer: Writer) throws {
    let rows = rows.filter { rules[$0.table] != nil }
    guard !rows.isEmpty else { return }
    let ids = Dictionary(grouping: rows, by: \.table).mapValues { Set($0.map(\.id)) }
    try writer.applying { try run(ids, writer) }
  }
}
