import Foundation
import OffshoreWire

/// A fact about access in rows of a personal scope, stored as a row to which they refer.
///
/// No app can declare its table, so the row itself does not exist.
enum AccessFact {
  /// The table of all facts.
  static let table = "_access"

  /// The fact that the owner lets the members of a shared scope read, by a rule with a choice.
  static func choice(for scope: ScopeID, _ rule: AccessRule) -> RowID {
    RowID(table: table, id: "choice/\(rule.kind)/\(scope.text)")
  }

  /// The fact that the owner has blocked an account, by a rule for a kind of scopes.
  static func block(_ account: AccountID, _ kind: String) -> RowID {
    RowID(table: table, id: "block/\(kind)/\(account)")
  }

  /// Returns the facts in a row.
  /// - Parameter fields: the values of the row, or `nil` if it does not exist.
  static func facts(
    of row: RowID, _ fields: [String: WireValue]?, _ rules: [AccessRule]
  ) -> Set<RowID> {
    guard let fields, !fields.isEmpty else { return [] }
    var facts: Set<RowID> = []
    for rule in rules {
      if let choice = rule.choice, choice.table == row.table,
        let value = fields[choice.column]?.string, choice.values.contains(value),
        let shared = fields[choice.scopeColumn]?.string,
        let scope = try? ScopeID(kind: rule.sharedKind, value: shared)
      {
        facts.insert(Self.choice(for: scope, rule))
      }
      // NB: A block counts in any spelling of the id, because no block may be ignored.
      if let block = rule.block, block.table == row.table,
        let account = fields[block.column]?.string.flatMap({ UUID(uuidString: $0) })
      {
        facts.insert(Self.block(AccountID(account), rule.kind))
      }
    }
    return facts
  }
}
