/// A comparison of a declared table with the one in a file.
struct TableComparison {
  private let declaration: TableDeclaration
  private let catalog: SchemaCatalog
  private let columns: [SchemaCatalog.Column]

  /// Reads the columns of the table in the file.
  /// - Throws: ``DatabaseError`` if the file cannot be read.
  init(_ declaration: TableDeclaration, _ connection: Connection) throws {
    self.declaration = declaration
    catalog = SchemaCatalog(connection)
    columns = try catalog.columns(of: declaration.name)
  }

  private var name: String { declaration.name }

  /// Returns a sentence for each difference, with its remedy; empty if there is none.
  ///
  /// Defaults, checks, the order of columns and the names of indexes may differ, and the file may
  /// have further indexes and generated columns. Tables of the library are not compared.
  func sentences() throws -> [String] {
    guard missing.isEmpty || !columns.isEmpty else { return missing }
    let shared = declaration.columns.compactMap { column in
      found(column.name).map { (column, $0) }
    }
    let indexes = try missingIndexes() + missingTextIndex()
    return try missing + shared.flatMap(differences) + indexes + missingReferences() + unknown
  }

  /// A sentence for the missing table, or for each missing column.
  var missing: [String] {
    guard !name.hasPrefix("_") else { return [] }
    guard !columns.isEmpty else {
      return ["The file has no table “\(name)”. Add a migration that creates it."]
    }
    return declaration.columns.filter { found($0.name) == nil }.map { column in
      "“\(name)” has no column “\(column.name)”. Add a migration: "
        + ".addColumn(\"\(column.name)\", to: …)."
    }
  }

  private var unknown: [String] {
    guard !name.hasPrefix("_") else { return [] }
    return columns.filter { !$0.isGenerated && declaration.columnIndex($0.name) == nil }.map {
      "“\(name)” has a column “\($0.name)” that is not declared. Declare it, or add a migration: "
        + ".dropColumn(\"\($0.name)\", from: …, formerDefinition: …)."
    }
  }

  private func found(_ column: String) -> SchemaCatalog.Column? {
    columns.first { $0.name.isSameName(column) }
  }

  private func differences(
    _ declared: ColumnDefinition, _ found: SchemaCatalog.Column
  ) -> [String] {
    var sentences: [String] = []
    let type = SQLTokens(declared.sqlType).text.uppercased()
    if type != found.type {
      sentences.append(
        difference(
          declared.name, "is \(type.isEmpty ? "untyped" : type)",
          "is \(found.type.isEmpty ? "untyped" : found.type)"))
    }
    if declared.isNullable != found.isNullable, !declaration.isRowID(declared) {
      let (may, mayNot) = ("may be NULL", "may not be NULL")
      sentences.append(
        difference(
          declared.name, declared.isNullable ? may : mayNot, found.isNullable ? may : mayNot))
    }
    return sentences
  }

  private func difference(_ column: String, _ declared: String, _ found: String) -> String {
    "“\(name).\(column)” \(declared) by declaration, and \(found) in the file. Add a migration: "
      + ".rebuild(…)."
  }

  private func missingIndexes() throws -> [String] {
    guard !name.hasPrefix("_") else { return [] }
    let found = try catalog.indexes(of: name)
    let unique = declaration.columns.filter(\.isUnique).map {
      IndexDefinition(name: "", columns: [$0.name], isUnique: true)
    }
    return (unique + declaration.indexes).filter { index in
      !found.contains {
        !$0.isPartial && $0.isUnique == index.isUnique && $0.columns.isSameNames(index.columns)
      }
    }.map { index in
      sentence(on: index, besides: found.first { $0.name.isSameName(index.name) })
    }
  }

  /// A sentence for an index that the file lacks.
  /// - Parameter other: an index that has its name, and would be in the way of its creation.
  private func sentence(on index: IndexDefinition, besides other: FoundIndex?) -> String {
    let kind = index.isUnique ? "unique index" : "index"
    let remedy = index.name.isEmpty ? ".rebuild(…)" : ".createIndex(\"\(index.name)\", on: …)"
    let sentence = "“\(name)” has no \(kind) over \(index.columns.nameList)"
    guard let other else { return "\(sentence). Add a migration: \(remedy)." }
    return "\(sentence), but “\(other.name)” over \(other.content). "
      + "Add a migration: \(other.removal), \(remedy)."
  }

  private func missingTextIndex() throws -> [String] {
    let declared = declaration.textColumns
    guard !declared.isEmpty else { return [] }
    let found = try TextIndexUpkeep(catalog.connection).columns(of: name)
    guard !found.isSameNames(declared) else { return [] }
    let difference =
      found.isEmpty
      ? "has no text index"
      : "has a text index over \(found.nameList), and over \(declared.nameList) by declaration"
    return ["“\(name)” \(difference). Add a migration: .create(…)."]
  }

  private func missingReferences() throws -> [String] {
    let found = try catalog.references(of: name)
    return declaration.columns.compactMap { column in
      guard let reference = column.reference else { return nil }
      let isFound = found.contains {
        $0.column.isSameName(column.name) && $0.table.isSameName(reference.table)
          && (reference.column == nil || $0.target == nil
            || $0.target?.isSameName(reference.column ?? "") == true)
      }
      guard !isFound else { return nil }
      return difference(
        column.name, "refers to “\(reference.table)”", "does not")
    }
  }
}

extension [String] {
  /// Returns whether SQLite treats two lists of names as equal.
  fileprivate func isSameNames(_ other: [String]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isSameName($1) }
  }
}

/// An index in a file.
private struct FoundIndex {
  let name: String
  let isUnique: Bool
  /// Whether it has only the rows that meet a condition.
  let isPartial: Bool
  /// The names of the columns; "" for an expression.
  var columns: [String] = []

  /// Whether a declaration can have the index.
  private var isPlain: Bool { !isPartial && !columns.contains("") }

  /// The columns in words.
  var content: String { isPlain ? columns.nameList : "other rows or values" }

  /// The step that drops the index.
  var removal: String {
    guard isPlain else { return ".sql(\"DROP INDEX IF EXISTS \(name.plainIdentifier)\")" }
    let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let unique = isUnique ? ", isUnique: true" : ""
    return ".dropIndex(\"\(name)\", on: …, columns: [\(list)]\(unique))"
  }
}

extension SchemaCatalog {
  /// The indexes of a table, the primary key's included.
  fileprivate func indexes(of table: String) throws -> [FoundIndex] {
    let list = try connection.fetch(
      "SELECT name, \"unique\", partial FROM pragma_index_list(\(table))"
    ) {
      FoundIndex(
        name: try $0.value(String.self), isUnique: try $0.value(Bool.self),
        isPartial: try $0.value(Bool.self))
    }
    return try list.map { index in
      var index = index
      index.columns = try connection.fetch(
        "SELECT ifnull(name, '') FROM pragma_index_info(\(index.name)) ORDER BY seqno"
      ) { try $0.value(String.self) }
      return index
    }
  }

  fileprivate func references(
    of table: String
  ) throws -> [(column: String, table: String, target: String?)] {
    try connection.fetch(
      "SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(\(table))"
    ) { (try $0.value(String.self), try $0.value(String.self), try $0.value(String?.self)) }
  }
}

extension Connection {
  /// Reports each difference between the file and the tables that migration steps declare.
  func reportDifferences(from migrations: Migrations) {
    for table in migrations.declaredTables {
      guard let sentences = try? TableComparison(table, self).sentences() else { continue }
      for sentence in sentences { configuration.reportProblem(sentence) }
    }
  }

  /// Runs a closure that prepares a statement for a table. If the file lacks the table or some of
  /// its columns, the error names them and the remedy in place of SQLite's message.
  func explainingMissing<Row, Result>(
    _ table: Table<Row>, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError where error.isAboutMissing {
      throw missing(table, error) ?? error
    }
  }

  private func missing<Row>(_ table: Table<Row>, _ cause: DatabaseError) -> DatabaseError? {
    guard let declaration = try? TableDeclaration(table),
      let sentences = try? TableComparison(declaration, self).missing, !sentences.isEmpty
    else { return nil }
    var error = DatabaseError(cause.code, sentences.joined(separator: " "))
    error.table = table.name
    error.sql = cause.sql
    error.resultCode = cause.resultCode
    error.cause = cause
    return error
  }
}

extension DatabaseError {
  /// Whether SQLite reports a missing table or column.
  fileprivate var isAboutMissing: Bool {
    code == .invalidSQL
      && ["no such table", "no such column", "has no column named"].contains {
        message.contains($0)
      }
  }
}

extension Migrations {
  /// The tables that the file should have after all migrations, if steps declare them.
  fileprivate var declaredTables: [TableDeclaration] {
    var tables: [String: TableDeclaration] = [:]
    for step in all.flatMap(\.steps) {
      if case .drop(let name) = step.kind { tables[name] = nil }
      guard let table = step.table else { continue }
      let textColumns = tables[table]?.textColumns ?? []
      tables[table] = try? step.declaration?()
      switch step.kind {
      case .createTextIndex: break
      case .dropTextIndex: tables[table]?.textColumns = []
      default: tables[table]?.textColumns = textColumns
      }
    }
    return tables.sorted { $0.key < $1.key }.map(\.value)
  }
}
