import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

/// An app that is released repeatedly, each time with random steps and matching declarations.
private struct RandomApp {
  private enum Written {
    case create
    case step(MigrationStep.Kind)
  }

  /// The tables by stable names, as the last release declares them.
  private(set) var tables: [String: TableDeclaration] = [:]
  private var migrations: [[(table: String, written: Written)]] = []
  private var nextNumber = 0
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    for name in ["a", "b"] {
      tables[name] = TableDeclaration(name: "t_\(name)", columns: [Self.key])
    }
    tables["b"]?.columns.append(Self.reference(to: "t_a"))
    migrations = [[("a", .create), ("b", .create)]]
  }

  private static var key: ColumnDefinition {
    var key = ColumnDefinition(name: "id", sqlType: "INTEGER", isNullable: false)
    key.isPrimaryKey = true
    return key
  }

  private static func reference(to table: String) -> ColumnDefinition {
    var column = ColumnDefinition(name: "parent", sqlType: "INTEGER", isNullable: true)
    column.reference = Reference(
      table: table, column: "id", onDelete: .cascade, onUpdate: .noAction, isDeferred: false)
    return column
  }

  /// The migrations of the last release: the steps of all releases, with the declarations of the
  /// last.
  var released: Migrations {
    Migrations(
      migrations.enumerated().map { number, steps in
        var migration = Migration("v\(number)")
        migration.steps = steps.compactMap { table, written in
          guard let declaration = tables[table] else { return nil }
          switch written {
          case .create: return MigrationStep(.create, declaration.name) { declaration }
          case .step(let kind): return MigrationStep(kind, declaration.name) { declaration }
          }
        }
        return migration
      })
  }

  /// Adds a migration of one to three steps.
  mutating func release() {
    migrations.append([])
    for _ in 0...random.number(below: 3) {
      let table = random.pick(["a", "b"])
      guard let kind = change(table) else { continue }
      migrations[migrations.count - 1].append((table, .step(kind)))
    }
  }

  private mutating func newName(_ prefix: String) -> String {
    nextNumber += 1
    return "\(prefix)\(nextNumber)"
  }

  /// Changes the declaration of a table.
  /// - Returns: The step that a developer writes for it.
  private mutating func change(_ key: String) -> MigrationStep.Kind? {
    guard let table = tables[key] else { return nil }
    let plain = table.columns.map(\.name).filter { !["id", "parent"].contains($0) }
    switch random.number(below: 7) {
    case 0, 1: return add(key)
    case 2: return plain.isEmpty ? add(key) : rename(key, random.pick(plain))
    case 3: return plain.isEmpty ? add(key) : drop(key, random.pick(plain))
    case 4: return plain.isEmpty ? add(key) : rebuild(key, random.pick(plain))
    case 5: return plain.isEmpty ? add(key) : changeIndex(key, random.pick(plain))
    default: return renameTable(key)
    }
  }

  private mutating func add(_ key: String) -> MigrationStep.Kind {
    let name = newName("c")
    var column = ColumnDefinition(
      name: name, sqlType: random.pick(["TEXT", "INTEGER", "REAL"]),
      isNullable: random.number(below: 2) == 0)
    let filling: String? = column.isNullable && random.number(below: 2) == 0 ? nil : "id * 2"
    if !column.isNullable, random.number(below: 2) == 0 { column.defaultSQL = "7" }
    if random.number(below: 3) == 0 { column.checkSQL = "\(name) IS NULL OR \(name) <> 'x'" }
    column.isUnique = filling != nil && random.number(below: 4) == 0
    tables[key]?.columns.append(column)
    if random.number(below: 3) == 0 { addIndex(key, [name]) }
    return .addColumn(name, filling: filling)
  }

  private mutating func addIndex(_ key: String, _ columns: [String]) {
    guard let table = tables[key] else { return }
    tables[key]?.indexes.append(
      IndexDefinition(
        name: IndexDefinition.automaticName(table.name, columns), columns: columns,
        isUnique: false))
  }

  private mutating func rename(_ key: String, _ column: String) -> MigrationStep.Kind? {
    guard let table = tables[key], let index = table.columnIndex(column) else { return nil }
    let new = newName("r")
    tables[key]?.columns[index].name = new
    tables[key]?.columns[index].checkSQL = table.columns[index].checkSQL?
      .replacing(column + " ", with: new + " ")
    renameIndexes(key, to: table.name) { $0 == column ? new : $0 }
    return .renameColumn(column, to: new)
  }

  private mutating func renameIndexes(
    _ key: String, to table: String, _ column: (String) -> String
  ) {
    guard let declaration = tables[key] else { return }
    tables[key]?.indexes = declaration.indexes.map { index in
      let columns = index.columns.map(column)
      return IndexDefinition(
        name: IndexDefinition.automaticName(table, columns), columns: columns,
        isUnique: index.isUnique)
    }
  }

  private mutating func drop(_ key: String, _ column: String) -> MigrationStep.Kind? {
    guard let table = tables[key], let index = table.columnIndex(column) else { return nil }
    let definition = Self.definition(table.columns[index], in: table)
    tables[key]?.columns.remove(at: index)
    tables[key]?.indexes.removeAll { $0.columns.contains(column) }
    return .dropColumn(column, formerDefinition: definition)
  }

  private static func definition(
    _ column: ColumnDefinition, in table: TableDeclaration
  ) -> String {
    String(table.definition(of: column).dropFirst(column.name.quotedIdentifier.count + 1))
  }

  private mutating func rebuild(_ key: String, _ column: String) -> MigrationStep.Kind? {
    guard let table = tables[key], let index = table.columnIndex(column) else { return nil }
    let definition = Self.definition(table.columns[index], in: table)
    var new = ColumnDefinition(
      name: column, sqlType: random.pick(["TEXT", "INTEGER", "NUMERIC"]), isNullable: false)
    new.collation = random.pick([nil, .noCase])
    tables[key]?.columns[index] = new
    return .rebuild(
      MigrationStep.Rebuild(
        formerDefinitions: [column: definition], adding: [],
        copying: [column: "ifnull(\(column), id)"]))
  }

  private mutating func changeIndex(_ key: String, _ column: String) -> MigrationStep.Kind? {
    guard let table = tables[key] else { return nil }
    if let index = table.indexes.first(where: { $0.columns == [column] }) {
      tables[key]?.indexes.removeAll { $0 == index }
      return .dropIndex(index)
    }
    addIndex(key, [column])
    return .createIndex(IndexDefinition.automaticName(table.name, [column]))
  }

  private mutating func renameTable(_ key: String) -> MigrationStep.Kind? {
    guard let old = tables[key]?.name else { return nil }
    let new = newName("t_\(key)")
    renameIndexes(key, to: new) { $0 }
    tables[key]?.name = new
    if key == "a", let index = tables["b"]?.columnIndex("parent") {
      tables["b"]?.columns[index].reference?.table = new
    }
    return .rename(old)
  }
}

extension TableDeclaration {
  fileprivate init(name: String, columns: [ColumnDefinition]) {
    self.init(
      name: name, columns: columns, indexes: [], isWithoutRowID: false, isStrict: false)
  }
}

@Suite(.timeLimit(.minutes(1))) struct RandomMigrationsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> Connection {
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    configuration.reportProblem = { Issue.record("\($0)") }
    return try Connection(folder.file(name), configuration: configuration)
  }

  /// Inserts a row into each table that a release declares.
  private func fill(_ app: RandomApp, _ round: Int, _ connection: Connection) throws {
    for key in ["a", "b"] {
      guard let table = app.tables[key] else { continue }
      let others = table.columns.filter { $0.name != "id" }
      let names = (["id"] + others.map(\.name)).map(\.quotedIdentifier).joined(separator: ", ")
      let values = (["\(round)"] + others.map { $0.reference == nil ? "-\(round)" : "\(round)" })
        .joined(separator: ", ")
      try connection.change(
        SQL(raw: "INSERT INTO \(table.name.quotedIdentifier) (\(names)) VALUES (\(values))"))
    }
  }

  @Test(arguments: 0..<Rounds.count(ofSoak: 300, else: 12))
  func `Files of all releases become equal to a new one, and keep their rows`(_ seed: Int) throws {
    var app = RandomApp(seed: UInt64(seed))
    let stepwise = try open("stepwise.sqlite")
    var old: [Connection] = []
    for round in 1...6 {
      try stepwise.migrate(app.released)
      try fill(app, round, stepwise)
      let file = try open("\(round).sqlite")
      try file.migrate(app.released)
      try fill(app, round, file)
      old.append(file)
      app.release()
    }
    let new = try open("new.sqlite")
    try new.migrate(app.released)
    let expected = try new.read { try Schema($0) }
    for (file, count) in zip([stepwise] + old, [6] + old.map { _ in 1 }) {
      try file.migrate(app.released)
      #expect(try file.read { try Schema($0) }.differences(from: expected) == [])
      for table in app.tables.values {
        #expect(try file.number("SELECT count(*) FROM \(identifier: table.name)") == count)
      }
      #expect(try file.texts("PRAGMA integrity_check") == ["ok"])
    }
  }
}
