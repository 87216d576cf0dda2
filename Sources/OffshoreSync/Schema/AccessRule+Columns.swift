public import Offshore
public import OffshoreWire

/// The declaration of access rules by the columns of tables.
///
/// ```swift
/// let schema = try SyncSchema(
///   version: 1, …, claimableKinds: ["group"], personalKinds: ["person", "profile", "week"],
///   memberLimits: ["group": 30], membershipLimits: ["group": 12],
///   accessRules: [
///     .members(of: "group", read: "profile"),
///     .members(of: "group", read: "week")
///       .choice(\Sharing.groupID, \.shows, ["week"]).block(\Block.blockedID),
///   ])
/// ```
extension AccessRule {
  /// Lets the members of a shared scope read personal scopes of each other.
  /// - Parameters:
  ///   - sharedKind: the kind of the shared scopes. The schema has to limit their members and the
  ///     memberships of an account, so that the product, added up for all such kinds, is at most 10,000.
  ///   - kind: the kind of the personal scopes.
  public static func members(of sharedKind: String, read kind: String) -> AccessRule {
    AccessRule(kind, sharedKind: sharedKind)
  }

  /// Limits the rule to the shared scopes for which the owner of the personal scope has a row with one of
  /// some choices. Without such a row, the members of that scope read nothing.
  ///
  /// The rows are in a personal scope of the owner that no rule lets others read.
  /// - Parameters:
  ///   - scope: the column with the value of the shared scope.
  ///   - choice: the column with the choice, a text or NULL.
  ///   - values: 1 to 100 choices, each of 1 to 200 bytes.
  public func choice<Row: Record>(
    _ scope: PartialKeyPath<Row>, _ choice: PartialKeyPath<Row>, _ values: [String]
  ) -> AccessRule {
    var rule = self
    rule.choice = Choice(
      table: Row.table.name, scopeColumn: Row.columnName(scope), column: Row.columnName(choice),
      values: values)
    return rule
  }

  /// Excludes the accounts of which one has a row that blocks the other: neither reads the other's scope,
  /// whatever scopes they share.
  ///
  /// The rows are in a personal scope of their owner that no rule lets others read.
  /// - Parameter account: the column with the id of the blocked account, as SQLite stores a `UUID`, a text
  ///   in capital letters.
  public func block<Row: Record>(_ account: PartialKeyPath<Row>) -> AccessRule {
    var rule = self
    rule.block = Block(table: Row.table.name, column: Row.columnName(account))
    return rule
  }

  /// Returns the rule with the names of tables and columns in messages.
  func sent(_ tables: [SyncTable]) -> AccessRule {
    func name(_ table: String, _ column: String) -> String {
      tables.first { $0.name == table }?.sentName(of: column) ?? column
    }
    func name(_ table: String) -> String {
      tables.first { $0.name == table }?.sentName ?? table
    }
    var rule = self
    rule.choice = choice.map { choice in
      Choice(
        table: name(choice.table), scopeColumn: name(choice.table, choice.scopeColumn),
        column: name(choice.table, choice.column), values: choice.values)
    }
    rule.block = block.map { Block(table: name($0.table), column: name($0.table, $0.column)) }
    return rule
  }
}

extension Record {
  /// Returns the name of the column of a property, or an empty text if it has none, which no manifest
  /// accepts.
  fileprivate static func columnName(_ property: PartialKeyPath<Self>) -> String {
    table.column(of: property)?.name ?? ""
  }
}
