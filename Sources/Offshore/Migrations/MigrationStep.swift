/// One change of the schema or of rows, as a part of a ``Migration``.
///
/// A step names columns as they were when it was written. It is never edited afterwards, even if
/// the declaration changes: the library computes the form that a table had at each step from the
/// current declaration, by reversing the later steps. Besides the steps that have a description of
/// their own, such as `addColumn`, there are:
///
/// | step | effect |
/// | --- | --- |
/// | `.rename("trips", to: Voyage.table)` | renames a table to its declared name; references follow |
/// | `.drop("trips")` | drops a table with its rows and indexes |
/// | `.renameColumn("name", to: "title", in: Voyage.table)` | renames a column; references, indexes and views follow |
/// | `.createIndex("idx_voyages_title", on: Voyage.table)` | creates a declared index over existing columns |
/// | `.dropIndex("idx_voyages_name", on: Voyage.table, columns: ["name"])` | drops an index; a new file is created with it, over these columns, before this step |
/// | `.create(Voyage.text)`, `.drop(Voyage.text)` | creates or drops a ``TextIndex`` |
public struct MigrationStep: Sendable {
  enum Kind: Sendable {
    case create
    case drop(String)
    case rename(String)
    case addColumn(String, filling: String?)
    case renameColumn(String, to: String)
    case dropColumn(String, formerDefinition: String)
    case rebuild(Rebuild)
    case createIndex(String)
    case dropIndex(IndexDefinition)
    case createTextIndex
    case dropTextIndex
    case sql(SQL)
    case perform(@Sendable (Writer) throws -> Void)
  }

  /// The differences between the old and the new form of a rebuilt table.
  struct Rebuild: Sendable {
    let formerDefinitions: [String: String]
    let adding: [String]
    let copying: [String: String]
  }

  let kind: Kind
  /// Returns the declaration of the step's table, or throws if the declaration contradicts itself.
  let declaration: (@Sendable () throws -> TableDeclaration)?
  /// The declared name of the table.
  let table: String?

  private init(_ kind: Kind) {
    self.kind = kind
    declaration = nil
    table = nil
  }

  private init<Row>(_ kind: Kind, _ table: Table<Row>) {
    self.init(kind, table.name) { try TableDeclaration(table) }
  }

  init(
    _ kind: Kind, _ table: String, declaration: @escaping @Sendable () throws -> TableDeclaration
  ) {
    self.kind = kind
    self.table = table
    self.declaration = declaration
  }
}

// MARK: - Tables

extension MigrationStep {
  /// Creates a table and its indexes in the form that the table had in the version of this
  /// migration.
  ///
  /// The library computes that form from the current declaration, by reversing the later steps. So
  /// a new file goes through the same forms as an old one, and the step stays valid when the
  /// declaration changes. Keep the record type even after a `.drop` of its table.
  public static func create<Row>(_ table: Table<Row>) -> Self { Self(.create, table) }

  /// Drops a table with its rows and indexes.
  @_documentation(visibility: internal)
  public static func drop(_ table: String) -> Self { Self(.drop(table)) }

  /// Renames a table to the name in its declaration. References follow.
  @_documentation(visibility: internal)
  public static func rename<Row>(_ old: String, to table: Table<Row>) -> Self {
    Self(.rename(old), table)
  }

  /// Recreates a table in its declared form and copies its rows, for changes of types, constraints
  /// or keys.
  ///
  /// ```swift
  /// .rebuild(
  ///   Voyage.table, formerDefinitions: ["guests": "TEXT"],
  ///   copying: ["guests": "CAST(guests AS INTEGER)"])
  /// ```
  /// - Parameters:
  ///   - table: The declaration with the new form.
  ///   - formerDefinitions: For each column that this step changes or removes, its former SQL
  ///     definition, without the name.
  ///   - adding: The columns that the rebuild adds.
  ///   - copying: SQL expressions over the old columns, by new column. Other columns are copied by
  ///     name.
  public static func rebuild<Row>(
    _ table: Table<Row>, formerDefinitions: [String: String] = [:], adding: [String] = [],
    copying: [String: String] = [:]
  ) -> Self {
    Self(
      .rebuild(
        Rebuild(formerDefinitions: formerDefinitions, adding: adding, copying: copying)), table)
  }
}

// MARK: - Columns and indexes

extension MigrationStep {
  /// Adds a declared column, with its indexes, after the other columns.
  ///
  /// - Parameters:
  ///   - column: The name of the column.
  ///   - table: The declaration with the column.
  ///   - filling: An SQL expression over the other columns for the value in existing rows; by
  ///     default, they have the column's default. It is required if the column refuses NULL and has
  ///     no default, or if it is unique and has a default, which all rows would share.
  public static func addColumn<Row>(
    _ column: String, to table: Table<Row>, filling: String? = nil
  ) -> Self {
    Self(.addColumn(column, filling: filling), table)
  }

  /// Renames a column to its name in the declaration. Indexes, references and views follow, and so
  /// do index names that are composed of column names.
  @_documentation(visibility: internal)
  public static func renameColumn<Row>(
    _ old: String, to new: String, in table: Table<Row>
  ) -> Self {
    Self(.renameColumn(old, to: new), table)
  }

  /// Drops a column that is no longer declared, with its indexes.
  ///
  /// - Parameters:
  ///   - column: The name of the column.
  ///   - table: The declaration without the column.
  ///   - formerDefinition: The SQL definition that the column had, without its name, for example
  ///     `TEXT NOT NULL DEFAULT ''`. A new file is created with the column, and this step drops it.
  public static func dropColumn<Row>(
    _ column: String, from table: Table<Row>, formerDefinition: String
  ) -> Self {
    Self(.dropColumn(column, formerDefinition: formerDefinition), table)
  }

  /// Creates a declared index over existing columns.
  @_documentation(visibility: internal)
  public static func createIndex<Row>(_ name: String, on table: Table<Row>) -> Self {
    Self(.createIndex(name), table)
  }

  /// Drops an index that is no longer declared. A new file is created with the index, over these
  /// columns, before this step.
  @_documentation(visibility: internal)
  public static func dropIndex<Row>(
    _ name: String, on table: Table<Row>, columns: [String], isUnique: Bool = false
  ) -> Self {
    Self(.dropIndex(IndexDefinition(name: name, columns: columns, isUnique: isUnique)), table)
  }
}

// MARK: - Text indexes

@_documentation(visibility: internal)
extension MigrationStep {
  /// Creates a text index and indexes all rows, in the form that the index and its table had in the
  /// version of this migration. If the table already has a text index over other columns, it is
  /// replaced.
  ///
  /// Columns that later steps add are not indexed. If the index has only such columns, nothing is
  /// created. Repeat this step after a column is added to the index. Before steps that rename the
  /// table, or rename or drop a column of the index, drop the index by
  /// ``drop(_:)-(TextIndex<Row>)``, and repeat this step after them.
  public static func create<Row>(_ index: TextIndex<Row>) -> Self {
    Self(.createTextIndex, index.table) {
      try index.check()
      return try index.declaration
    }
  }

  /// Drops a text index, if the file has it.
  public static func drop<Row>(_ index: TextIndex<Row>) -> Self {
    Self(.dropTextIndex, index.table) { try index.declaration }
  }
}

// MARK: - SQL and code

extension MigrationStep {
  /// Runs a statement, or several without values, for changes that no other step describes.
  ///
  /// Three statements can change a table that an earlier `.create` creates: `ALTER TABLE … ADD`,
  /// `ALTER TABLE … RENAME` and `CREATE INDEX`. The library recognizes them, and `.create` leaves
  /// out the column or index, or uses the former name, so that the statement succeeds in new files,
  /// too. Express other changes of such a table by the other steps.
  public static func sql(_ sql: SQL) -> Self { Self(.sql(sql)) }

  /// Runs a closure in the transaction of the migration, for changes of rows that SQL cannot make.
  public static func perform(_ body: @escaping @Sendable (Writer) throws -> Void) -> Self {
    Self(.perform(body))
  }
}

@_documentation(visibility: internal)
extension MigrationStep: CustomStringConvertible {
  /// The step in words, without values, such as `add column “notes”`.
  public var description: String {
    switch kind {
    case .create: "create “\(table ?? "")”"
    case .drop(let name): "drop “\(name)”"
    case .rename(let old): "rename “\(old)”"
    case .addColumn(let column, _): "add column “\(column)”"
    case .renameColumn(let old, let new): "rename column “\(old)” to “\(new)”"
    case .dropColumn(let column, _): "drop column “\(column)”"
    case .rebuild: "rebuild “\(table ?? "")”"
    case .createIndex(let name): "create index “\(name)”"
    case .dropIndex(let index): "drop index “\(index.name)”"
    case .createTextIndex: "create the text index of “\(table ?? "")”"
    case .dropTextIndex: "drop the text index of “\(table ?? "")”"
    case .sql: "run SQL"
    case .perform: "run a closure"
    }
  }
}
