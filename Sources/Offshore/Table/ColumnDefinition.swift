/// The schema of a column: its declaration without the property.
@usableFromInline
package struct ColumnDefinition: Equatable, Sendable {
  /// The name of an index over the column.
  enum Index: Equatable, Sendable {
    case automatic
    case named(String)
  }

  /// The name in the database.
  package internal(set) var name: String
  /// The SQL type, for example `"TEXT"`.
  package internal(set) var sqlType: String
  /// Whether the column accepts NULL.
  package let isNullable: Bool
  /// Whether the column belongs to the primary key.
  package internal(set) var isPrimaryKey = false
  /// Whether all rows must have different values.
  package internal(set) var isUnique = false
  /// The table and the column to which values refer.
  package internal(set) var reference: Reference?
  /// The default, as an SQL literal.
  package internal(set) var defaultSQL: String?
  /// The expression that every row satisfies.
  package internal(set) var checkSQL: String?
  /// The collation of texts; binary by default.
  package internal(set) var collation: Collation?

  var index: Index?
  /// Whether the declared default is a value that the column cannot store.
  var hasUnusableDefault = false
  /// The whole SQL definition after the name, for a column of an earlier version.
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
  /// The referenced table.
  package internal(set) var table: String
  /// The referenced column, or `nil` for the table's primary key.
  package internal(set) var column: String?
  /// The action on the referring row when the referenced row is deleted.
  package let onDelete: ReferenceAction
  /// The action on the referring row when the referenced key changes.
  package let onUpdate: ReferenceAction
  /// Whether the reference is checked at the end of the write instead of at once.
  package let isDeferred: Bool
}

/// An action on a referring row when the referenced row is deleted or its key changes.
@_documentation(visibility: internal)
public enum ReferenceAction: String, Sendable {
  /// The change is refused at the end of the statement.
  case noAction = "NO ACTION"
  /// The change is refused at once.
  case restrict = "RESTRICT"
  /// The reference becomes NULL.
  case setNull = "SET NULL"
  /// The reference becomes its column's default.
  case setDefault = "SET DEFAULT"
  /// The referring row is deleted with the referenced row, or its reference changes with the
  /// referenced key.
  case cascade = "CASCADE"
}

/// A comparison of texts. See <https://sqlite.org/datatype3.html#collation>.
@_documentation(visibility: internal)
public enum Collation: String, Sendable {
  /// Byte by byte.
  case binary = "BINARY"
  /// Ignoring the case of ASCII letters.
  case noCase = "NOCASE"
  /// Ignoring trailing spaces.
  case trimTrailing = "RTRIM"
}

/// An index over one or more columns. See <https://sqlite.org/lang_createindex.html>.
package struct IndexDefinition: Equatable, Sendable {
  /// The name in the database.
  package internal(set) var name: String
  /// The names of the columns, most significant first.
  package internal(set) var columns: [String]
  /// Whether rows must differ in at least one of the columns.
  package let isUnique: Bool

  /// Returns the default name of an index: `idx_<table>_<column>_…`.
  static func automaticName(_ table: String, _ columns: [String]) -> String {
    (["idx", table] + columns).joined(separator: "_")
  }
}

extension Table {
  /// Adds an index over columns, or a constraint that their values are unique together.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the columns, most significant first. If one of them is not
  ///     declared as a column, the migration that creates the table or the index fails.
  ///   - name: The name of the index; `idx_<table>_<column>_…` by default.
  ///   - isUnique: Whether two rows with equal values in all the columns are refused.
  public func index(
    _ keyPaths: PartialKeyPath<Row>..., name: String? = nil, isUnique: Bool = false
  ) -> Self {
    let names = keyPaths.map { plan.indexByKeyPath[$0].map { columns[$0].name } ?? "" }
    var copy = self
    copy.indexes.append(
      IndexDefinition(
        name: name ?? IndexDefinition.automaticName(self.name, names), columns: names,
        isUnique: isUnique))
    return copy
  }

  /// Stores the rows by their primary key, without row ids.
  @_documentation(visibility: internal)
  public func withoutRowID() -> Self {
    var copy = self
    copy.isWithoutRowID = true
    return copy
  }

  /// Marks the table as one of the library's own, whose rows an app can neither correct nor delete.
  /// The error of a value that cannot be read then says to restore the file.
  package func ofLibrary() -> Self {
    var copy = self
    copy.isOfLibrary = true
    return copy
  }

  /// Makes SQLite refuse values of types other than the declared ones.
  @_documentation(visibility: internal)
  public func strict() -> Self {
    var copy = self
    copy.isStrict = true
    return copy
  }
}
