/// The tables, views, and triggers of a database, as values to compare and to print.
///
/// ```swift
/// let schema = try connection.read { try Schema($0) }
/// print(schema)
/// let problems = schema.differences(from: [Charter.self, Checklist.self])
/// ```
///
/// What is named with a leading underscore or by SQLite itself is left out, and so are the tables
/// that a virtual table keeps its content in.
public struct Schema: Equatable, Sendable {
  /// The tables in order of their names.
  public internal(set) var tables: [Table] = []
  /// Views, triggers, and virtual tables, in order of their kinds and names.
  public internal(set) var objects: [Object] = []

  /// The table of a name.
  public func table(_ name: String) -> Table? { tables.first { $0.name == name } }
}

extension Schema {
  /// A table with its indexes and constraints.
  public struct Table: Equatable, Sendable {
    /// The table's name.
    public let name: String
    /// The columns in stored order, generated ones included.
    public internal(set) var columns: [Column]
    /// Indexes and constraints of uniqueness, but for the primary key.
    public internal(set) var indexes: [Index]
    /// The foreign keys in the order of their columns.
    public internal(set) var foreignKeys: [ForeignKey]
    /// The expressions that every row satisfies, uniformly spaced, in alphabetical order.
    public internal(set) var checks: [String]
    /// Whether the rows are stored under their primary key alone.
    public let isWithoutRowID: Bool
    /// Whether SQLite refuses values of other types than declared.
    public let isStrict: Bool

    /// The names of the primary key's columns in order.
    public var primaryKey: [String] {
      columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    }
  }

  /// A column of a table.
  public struct Column: Equatable, Sendable {
    /// The column's name.
    public let name: String
    /// The declared type in upper case; empty where none is declared.
    public let type: String
    /// Whether NULL is accepted.
    public internal(set) var isNullable: Bool
    /// The default in SQL, uniformly spaced.
    public internal(set) var defaultSQL: String?
    /// The column's place in the primary key, from 1; 0 where it has none.
    public let keyPosition: Int
    /// How texts compare, for example `NOCASE`.
    public let collation: String
    /// Whether the value is computed from other columns.
    public let isGenerated: Bool
  }

  /// An index, or a constraint of uniqueness.
  public struct Index: Equatable, Sendable {
    /// The index's name, or `nil` for a constraint of the table.
    public internal(set) var name: String?
    /// The names of the columns, most significant first; empty for an expression.
    public let columns: [String]
    /// Whether two rows that agree in all the columns are refused.
    public let isUnique: Bool
    /// The statement of an index that is more than columns: of expressions, partial, descending, or
    /// with a collation of its own.
    public let sql: String?
  }

  /// A reference from columns of one table to those of another.
  public struct ForeignKey: Equatable, Sendable {
    /// The columns that refer.
    public let columns: [String]
    /// The table referred to.
    public let table: String
    /// The columns referred to; empty where none is named, which means the primary key.
    public internal(set) var targets: [String]
    /// What happens to the referring row when the other is deleted.
    public let onDelete: ReferenceAction
    /// What happens to the referring row when the other's key changes.
    public let onUpdate: ReferenceAction
    /// Whether the reference is checked at the end of the transaction.
    public let isDeferred: Bool
  }

  /// A view, a trigger, or a virtual table.
  public struct Object: Equatable, Sendable {
    /// What the object is: `view`, `trigger`, or `virtual table`.
    public let kind: String
    /// The object's name.
    public let name: String
    /// The statement that creates it, uniformly spaced.
    public let sql: String
  }
}
