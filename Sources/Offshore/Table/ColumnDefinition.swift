/// What a column is in the schema: all of its declaration but the property.
@usableFromInline
package struct ColumnDefinition: Equatable, Sendable {
  /// Where a column has an index of its own, that index's name.
  enum Index: Equatable, Sendable {
    case automatic
    case named(String)
  }

  /// The name in the database.
  package internal(set) var name: String
  /// The SQL type, for example `"TEXT"`.
  package internal(set) var sqlType: String
  /// Whether NULL is accepted.
  package let isNullable: Bool
  /// Whether the column belongs to the primary key.
  package internal(set) var isPrimaryKey = false
  /// Whether no two rows may have the same value.
  package internal(set) var isUnique = false
  /// The table and column that values refer to.
  package internal(set) var reference: Reference?
  /// The default, as an SQL literal.
  package internal(set) var defaultSQL: String?
  /// The expression that every row satisfies.
  package internal(set) var checkSQL: String?
  /// How texts compare; binary unless stated.
  package internal(set) var collation: Collation?

  var index: Index?
  /// Whether the declared default is a value that the column cannot store.
  var hasUnusableDefault = false
  /// The whole definition in SQL after the name, for a column that an earlier version had.
  var formerSQL: String?

  @usableFromInline
  init(name: String, sqlType: String, isNullable: Bool) {
    self.name = name
    self.sqlType = sqlType
    self.isNullable = isNullable
  }
}

/// A foreign key. See <https://sqlite.org/foreignkeys.html>.
package struct Reference: Equatable, Sendable {
  /// The table referred to.
  package internal(set) var table: String
  /// The column referred to, or `nil` for the table's primary key.
  package internal(set) var column: String?
  /// What happens to the referring row when the other is deleted.
  package let onDelete: ReferenceAction
  /// What happens to the referring row when the other's key changes.
  package let onUpdate: ReferenceAction
  /// Whether the reference is checked at the end of the write instead of at once.
  package let isDeferred: Bool
}

/// What happens to a referring row when the row it refers to goes or changes its key.
public enum ReferenceAction: String, Sendable {
  /// The change is refused at the end of the statement.
  case noAction = "NO ACTION"
  /// The change is refused at once.
  case restrict = "RESTRICT"
  /// The reference becomes NULL.
  case setNull = "SET NULL"
  /// The reference becomes its column's default.
  case setDefault = "SET DEFAULT"
  /// The referring row follows: it is deleted, or its reference is changed.
  case cascade = "CASCADE"
}

/// How texts compare. See <https://sqlite.org/datatype3.html#collation>.
public enum Collation: String, Sendable {
  /// Byte by byte.
  case binary = "BINARY"
  /// Without regard to the case of ASCII letters.
  case noCase = "NOCASE"
  /// Without regard to trailing spaces.
  case trimTrailing = "RTRIM"
}
