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
    for step in steps.flatMap(\.steps) {
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
