/// One change of the schema or of rows, as a part of a ``Migration``.
///
/// A step names columns as they were when it was written, and is never edited afterwards, whatever
/// becomes of the declaration: the library works out the form that a table had at each step by undoing
/// the later steps.
public struct MigrationStep: Sendable {
  enum Kind: Sendable {
    case create
    case drop(String)
    case rename(String)
    case addColumn(String, filling: String?)
    case renameColumn(String, to: String)
    case dropColumn(String, was: String)
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
    let was: [String: String]
    let adding: [String]
    let copying: [String: String]
  }

  let kind: Kind
  /// The declaration of the step's table; it throws if the declaration contradicts itself.
  let declaration: (@Sendable () throws -> TableDeclaration)?
  /// The name that the table has by its declaration.
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
  /// Creates a table with its indexes, in the form that its declaration had before all later steps.
  ///
  /// So a new file goes through the same forms as an old one, and the step stays as it is if the
  /// declaration moves on. If the record's type is removed, write `.sql("CREATE TABLE …")` instead.
  public static func create<Row>(_ table: Table<Row>) -> Self { Self(.create, table) }

  /// Drops a table with its rows and indexes.
  public static func drop(_ table: String) -> Self { Self(.drop(table)) }

  /// Gives a table another name, which its declaration has already; references follow.
  public static func rename<Row>(_ old: String, to table: Table<Row>) -> Self {
    Self(.rename(old), table)
  }

  /// Creates a table anew in its declared form and copies its rows, for changes of types,
  /// constraints or keys.
  ///
  /// ```swift
  /// .rebuild(Voyage.table, was: ["guests": "TEXT"], copying: ["guests": "CAST(guests AS INTEGER)"])
  /// ```
  /// - Parameters:
  ///   - table: the declaration with the new form.
  ///   - was: the former definitions, in SQL without the name, of columns that change or go.
  ///   - adding: the columns that the rebuild adds.
  ///   - copying: SQL over the old columns for columns of the new table; others are copied by name.
  public static func rebuild<Row>(
    _ table: Table<Row>, was: [String: String] = [:], adding: [String] = [],
    copying: [String: String] = [:]
  ) -> Self {
    Self(.rebuild(Rebuild(was: was, adding: adding, copying: copying)), table)
  }
}

// MARK: - Columns and indexes

extension MigrationStep {
  /// Adds a declared column, with its indexes, behind the others.
  ///
  /// - Parameters:
  ///   - column: the column's name.
  ///   - table: the declaration with the column.
  ///   - filling: SQL over the other columns for the value in rows that exist; they have the column's
  ///     default otherwise. A column that is unique, or refuses NULL and has no default, needs it.
  public static func addColumn<Row>(
    _ column: String, to table: Table<Row>, filling: String? = nil
  ) -> Self {
    Self(.addColumn(column, filling: filling), table)
  }

  /// Gives a column another name, which the declaration has already. Indexes, references and views
  /// follow, and so do index names that are made of the names of columns.
  public static func renameColumn<Row>(
    _ old: String, to new: String, in table: Table<Row>
  ) -> Self {
    Self(.renameColumn(old, to: new), table)
  }

  /// Drops a column, which the declaration no longer has, with its indexes.
  ///
  /// - Parameter was: the column's definition in SQL, without its name, for example
  ///   `TEXT NOT NULL DEFAULT ''`: new files have the column until this step.
  public static func dropColumn<Row>(
    _ column: String, from table: Table<Row>, was definition: String
  ) -> Self {
    Self(.dropColumn(column, was: definition), table)
  }

  /// Creates a declared index over columns that existed before.
  public static func createIndex<Row>(_ name: String, on table: Table<Row>) -> Self {
    Self(.createIndex(name), table)
  }

  /// Drops an index, which the declaration no longer has. Its columns serve new files, which have the
  /// index until this step.
  public static func dropIndex<Row>(
    _ name: String, on table: Table<Row>, columns: [String], isUnique: Bool = false
  ) -> Self {
    Self(.dropIndex(IndexDefinition(name: name, columns: columns, isUnique: isUnique)), table)
  }
}

// MARK: - Text indexes

extension MigrationStep {
  /// Creates a text index and indexes all rows, in the form that the declarations of the index and of its table had
  /// before all later steps. An index of other columns is replaced.
  ///
  /// Columns that later steps add are not indexed. If there is no other column, nothing is created. So this step
  /// follows whenever a column is added to the index. Before steps that rename the table, or rename or drop a column
  /// of the index, ``drop(_:)-(TextIndex<Row>)`` drops the index, and this step follows.
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
  /// Runs a statement, or several without values.
  ///
  /// `ALTER TABLE … ADD`, `… RENAME` and `CREATE INDEX` are recognized, so that they may follow
  /// ``create(_:)``.
  public static func sql(_ sql: SQL) -> Self { Self(.sql(sql)) }

  /// Runs a closure that changes rows.
  public static func perform(_ body: @escaping @Sendable (Writer) throws -> Void) -> Self {
    Self(.perform(body))
  }
}

extension MigrationStep: CustomStringConvertible {
  /// The step in words, without values: `add column “notes”`.
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
