import Offshore
import OffshoreWire

/// Works out what depends on rows, each table by a rule of its own.
struct Derivations: Sendable {
  private let rules: [String: Replica.Derivation]

  init(_ rules: [String: Replica.Derivation] = [:]) { self.rules = rules }

  /// The tables of whose rows anything is derived.
  var tables: Set<String> { Set(rules.keys) }

  /// Runs the rules for rows by table, inside what is not captured.
  func run(_ ids: [String: Set<String>], _ writer: Writer) throws {
    for (table, ids) in ids.sorted(by: { $0.key < $1.key }) { try rules[table]?(ids, writer) }
  }

  /// Runs the rules for rows that a person has changed by what the library does.
  func run(for rows: some Sequence<RowID>, _ writer: Writer) throws {
    let rows = rows.filter { rules[$0.table] != nil }
    guard !rows.isEmpty else { return }
    let ids = Dictionary(grouping: rows, by: \.table).mapValues { Set($0.map(\.id)) }
    try writer.applying { try run(ids, writer) }
  }
}
