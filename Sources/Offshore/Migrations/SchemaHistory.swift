/// The form that a declared table had before later steps, computed from its declaration by
/// reversing those steps, the last one first.
struct SchemaHistory {
  /// The name in the declaration, which identifies the table.
  private let declaredName: String
  /// The form of the table before the steps that are reversed so far.
  private(set) var form: TableDeclaration
  /// The earlier names of renamed tables, by their declared names.
  private var names: [String: String] = [:]
  /// Whether a dropped column was restored. Its indexes are not known.
  private var lacksIndexes = false

  /// Reverses the later steps of a table.
  /// - Parameter later: The steps that follow, in order.
  /// - Throws: ``DatabaseError`` with code `declaration` if a step does not lead to the
  ///   declaration.
  init(
    of declaration: TableDeclaration, before later: some BidirectionalCollection<MigrationStep>
  ) throws {
    declaredName = declaration.name
    form = declaration
    // After a drop, the name may be that of another table.
    let end = later.firstIndex {
      if case .drop(let name) = $0.kind { name.isSameName(declaration.name) } else { false }
    }
    for step in later[..<(end ?? later.endIndex)].reversed() { try undo(step) }
  }

  /// Changes the form to the one before a step.
  mutating func undo(_ step: MigrationStep) throws {
    switch step.kind {
    case .create, .drop, .createTextIndex, .dropTextIndex, .perform: break
    case .sql(let sql): undo(SQLTokens(sql.text))
    case .rename(let old): undoRename(step, old)
    case .renameColumn(let old, let new): try undoRename(step, old, new)
    case .addColumn, .dropColumn, .rebuild, .createIndex, .dropIndex:
      if step.table == declaredName { try undoChange(step) }
    }
  }

  private mutating func undoChange(_ step: MigrationStep) throws {
    switch step.kind {
    case .addColumn(let column, _): try remove(column, step)
    case .dropColumn(let column, let definition):
      guard form.columnIndex(column) == nil else {
        throw problem(step, "the declaration has it still. Remove it there, or remove the step")
      }
      form.restore(column, definition)
      lacksIndexes = true
    case .rebuild(let rebuild):
      for column in rebuild.adding { try remove(column, step) }
      lacksIndexes =
        lacksIndexes || rebuild.formerDefinitions.keys.contains { form.columnIndex($0) == nil }
      for (column, definition) in rebuild.formerDefinitions.sorted(by: { $0.key < $1.key }) {
        form.restore(column, definition)
      }
    case .createIndex(let name):
      guard lacksIndexes || form.indexes.contains(where: { $0.name.isSameName(name) }) else {
        throw problem(step, "the declaration has no such index. Declare it, or correct its name")
      }
      form.removeIndex(name)
    case .dropIndex(let index): form.indexes.append(index)
    default: break
    }
  }

  private mutating func remove(_ column: String, _ step: MigrationStep) throws {
    guard form.columnIndex(column) != nil else { throw missing(column, step) }
    form.removeColumn(column)
  }

  private mutating func undoRename(_ step: MigrationStep, _ old: String) {
    guard let table = step.table else { return }
    let current = names[table] ?? table
    names[table] = old
    form.renameTarget(current, to: old)
    if table == declaredName { form.rename(to: old) }
  }

  private mutating func undoRename(_ step: MigrationStep, _ old: String, _ new: String) throws {
    guard let table = step.table else { return }
    form.renameTarget(new, of: names[table] ?? table, to: old)
    guard table == declaredName else { return }
    guard form.columnIndex(new) != nil else { throw missing(new, step) }
    form.renameColumn(new, to: old)
  }

  // MARK: - SQL

  /// Reverses hand-written statements, as far as they can be reversed.
  private mutating func undo(_ sql: SQLTokens) {
    for statement in sql.tokens.split(whereSeparator: { $0.text == ";" }).reversed() {
      switch SchemaStatement(statement) {
      case .addColumn(let column, let table):
        if table.isSameName(form.name) { form.removeColumn(column) }
      case .renameColumn(let old, let new, let table):
        form.renameTarget(new, of: table, to: old)
        guard table.isSameName(form.name) else { break }
        form.renameColumn(new, to: old, renamesIndexes: false)
      case .rename(let old, let new):
        form.renameTarget(new, to: old)
        if new.isSameName(form.name) { form.rename(to: old, renamesIndexes: false) }
      case .createIndex(let name): form.removeIndex(name)
      default: break
      }
    }
  }

  // MARK: - Problems

  private func missing(_ column: String, _ step: MigrationStep) -> DatabaseError {
    problem(
      step,
      "the table has no column “\(column)” after it, only \(form.columns.map(\.name).nameList). "
        + "Declare it, correct its name, or add the step that renames or drops it later")
  }

  private func problem(_ step: MigrationStep, _ reason: String) -> DatabaseError {
    var error = DatabaseError(
      .declaration,
      "The step “\(step.plainDescription)” does not lead to the declaration: \(reason).")
    error.table = declaredName
    return error
  }
}

extension MigrationStep {
  fileprivate var plainDescription: String { description.filter { !"“”".contains($0) } }
}

extension String {
  /// Returns whether SQLite treats two names as equal, ignoring the case of letters.
  func isSameName(_ other: String) -> Bool { self == other || lowercased() == other.lowercased() }
}

// MARK: - Changes of a form

extension TableDeclaration {
  func columnIndex(_ name: String) -> Int? { columns.firstIndex { $0.name.isSameName(name) } }

  fileprivate mutating func removeColumn(_ name: String) {
    columns.removeAll { $0.name.isSameName(name) }
    indexes.removeAll { $0.columns.contains { $0.isSameName(name) } }
    textColumns.removeAll { $0.isSameName(name) }
  }

  fileprivate mutating func removeIndex(_ name: String) {
    indexes.removeAll { $0.name.isSameName(name) }
  }

  /// Restores a former definition of a column.
  fileprivate mutating func restore(_ column: String, _ definition: String) {
    var former = ColumnDefinition(name: column, sqlType: "", isNullable: true)
    former.formerSQL = definition
    if let index = columnIndex(column) { columns[index] = former } else { columns.append(former) }
  }

  fileprivate mutating func renameColumn(
    _ column: String, to other: String, renamesIndexes: Bool = true
  ) {
    for index in columns.indices {
      if columns[index].name.isSameName(column) { columns[index].name = other }
      columns[index].checkSQL = columns[index].checkSQL.map {
        SQLTokens($0).text(renaming: column, to: other)
      }
      columns[index].formerSQL = columns[index].formerSQL.map {
        SQLTokens($0).text(renaming: column, to: other, insideChecks: true)
      }
    }
    textColumns = textColumns.map { $0.isSameName(column) ? other : $0 }
    for index in indexes.indices {
      let isAutomatic = renamesIndexes && indexes[index].name == automaticName(index)
      indexes[index].columns = indexes[index].columns.map { $0.isSameName(column) ? other : $0 }
      if isAutomatic { indexes[index].name = automaticName(index) }
    }
  }

  fileprivate mutating func rename(to other: String, renamesIndexes: Bool = true) {
    let automatic = indexes.indices.filter { indexes[$0].name == automaticName($0) }
    name = other
    guard renamesIndexes else { return }
    for index in automatic { indexes[index].name = automaticName(index) }
  }

  private func automaticName(_ index: Int) -> String {
    IndexDefinition.automaticName(name, indexes[index].columns)
  }

  /// Renames a table in the references to it.
  fileprivate mutating func renameTarget(_ table: String, to other: String) {
    for index in columns.indices {
      if columns[index].reference?.table.isSameName(table) == true {
        columns[index].reference?.table = other
      }
      columns[index].formerSQL = columns[index].formerSQL.map {
        SQLTokens($0).text(renamingTarget: table, to: other)
      }
    }
  }

  /// Renames a column of a table in the references to it.
  fileprivate mutating func renameTarget(_ column: String, of table: String, to other: String) {
    for index in columns.indices {
      guard let reference = columns[index].reference, reference.table.isSameName(table),
        reference.column?.isSameName(column) == true
      else { continue }
      columns[index].reference?.column = other
    }
  }
}

extension SQLTokens {
  /// Returns the statement with another name for a column, everywhere or only inside checks.
  fileprivate func text(
    renaming column: String, to other: String, insideChecks: Bool = false
  ) -> String {
    var depth = 0
    return text { index, token in
      let isCheck = depth > 0 || index > 0 && tokens[index - 1].is("CHECK")
      if token.text == "(", isCheck { depth += 1 }
      if token.text == ")", depth > 0 { depth -= 1 }
      let isCall = index + 1 < tokens.count && tokens[index + 1].text == "("
      guard token.isName(column), !isCall, !insideChecks || depth > 0 else { return nil }
      return other.plainIdentifier
    }
  }

  /// Returns the definition of a column with another name for the table that it refers to.
  fileprivate func text(renamingTarget table: String, to other: String) -> String {
    text { index, token in
      let isTarget = index > 0 && tokens[index - 1].is("REFERENCES") && token.isName(table)
      return isTarget ? other.plainIdentifier : nil
    }
  }

  /// Returns the statement with some tokens replaced.
  private func text(replacing replacement: (Int, Token) -> String?) -> String {
    let texts = tokens.enumerated().map { replacement($0, $1) ?? $1.text }
    return SQLTokens(texts.joined(separator: " ")).text
  }
}

extension SQLTokens.Token {
  fileprivate func isName(_ other: String) -> Bool {
    (kind == .word || kind == .quoted) && name.isSameName(other)
  }
}
