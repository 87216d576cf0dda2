/// A rule by which accounts read personal scopes of each other: those with a common shared scope do.
///
/// Each rule names the kind of the personal scopes, for example `week`, and the kind of the shared ones,
/// for example `group`. Rows of the owner can limit it: by a choice for each shared scope, and by blocks.
/// The server derives who reads what from memberships and these rows. If several rules or shared scopes
/// concern the same two accounts, one of them is enough; a block beats all rules of its kind.
///
/// An account that reads by a rule changes nothing, is not listed, lists no members, and gets no conflicts
/// and no earlier deletions.
public struct AccessRule: Hashable, Sendable {
  /// The rows by which an owner chooses what the members of a shared scope read.
  package struct Choice: Hashable, Sendable {
    /// The table, whose rows are in personal scopes.
    package let table: String
    /// The column with the value of the shared scope.
    package let scopeColumn: String
    /// The column with the choice, a text.
    package let column: String
    /// The choices by which the members may read, sorted.
    package let values: [String]

    package init(table: String, scopeColumn: String, column: String, values: [String]) {
      (self.table, self.scopeColumn, self.column) = (table, scopeColumn, column)
      self.values = values.sorted()
    }
  }

  /// The rows by which two accounts do not read each other's scopes.
  package struct Block: Hashable, Sendable {
    /// The table, whose rows are in personal scopes.
    package let table: String
    /// The column with the id of the blocked account.
    package let column: String

    package init(table: String, column: String) { (self.table, self.column) = (table, column) }
  }

  /// The kind of the personal scopes that are read.
  package let kind: String
  /// The kind of the shared scopes, whose members read them.
  package let sharedKind: String
  /// The choice of the owner, or `nil` if all members read.
  package var choice: Choice?
  /// The blocks of both accounts, or `nil` if there are none.
  package var block: Block?

  package init(
    _ kind: String, sharedKind: String, choice: Choice? = nil, block: Block? = nil
  ) {
    (self.kind, self.sharedKind, self.choice, self.block) = (kind, sharedKind, choice, block)
  }

  /// The table and the columns that limit the rule.
  package var sources: [(table: String, columns: [String])] {
    [
      choice.map { ($0.table, [$0.scopeColumn, $0.column]) },
      block.map { ($0.table, [$0.column]) },
    ].compactMap(\.self)
  }
}

extension AccessRule {
  /// Returns whether rows of a table limit the rule.
  package func isLimited(by table: String) -> Bool {
    choice?.table == table || block?.table == table
  }
}

// MARK: - JSON

// Each initializer refuses unknown keys: one may stand for a limit that would then be left out unnoticed.

extension AccessRule: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case kind, sharedKind, choice, block }

  /// Decodes a rule as a part of a manifest.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: CodingKeys.self)
    self.init(
      try object.decode(String.self, forKey: .kind),
      sharedKind: try object.decode(String.self, forKey: .sharedKind),
      choice: try object.decodeIfPresent(Choice.self, forKey: .choice),
      block: try object.decodeIfPresent(Block.self, forKey: .block))
  }
}

extension AccessRule.Choice: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case table, scopeColumn, column, values
  }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: CodingKeys.self)
    self.init(
      table: try object.decode(String.self, forKey: .table),
      scopeColumn: try object.decode(String.self, forKey: .scopeColumn),
      column: try object.decode(String.self, forKey: .column),
      values: try object.decode([String].self, forKey: .values))
  }
}

extension AccessRule.Block: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case table, column }

  package init(from decoder: any Decoder) throws {
    let object = try decoder.object(of: CodingKeys.self)
    self.init(
      table: try object.decode(String.self, forKey: .table),
      column: try object.decode(String.self, forKey: .column))
  }
}

extension AccessRule {
  /// The texts by which the hash of a manifest has the rule.
  var texts: [String] {
    var texts = ["reads", kind, sharedKind]
    if let choice {
      texts += ["choice", choice.table, choice.scopeColumn, choice.column] + choice.values
    }
    if let block { texts += ["block", block.table, block.column] }
    return texts
  }
}
