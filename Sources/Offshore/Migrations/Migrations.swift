/// All migrations of a database, oldest first.
///
/// ```swift
/// let migrations: Migrations = [
///   Migration("v1.0.0_createCharters", .create(Charter.table)),
///   Migration("v1.1.0_addGuests", .addColumn("guests", to: Charter.table)),
/// ]
/// let applied = try connection.migrate(migrations)
/// ```
///
/// Add new migrations at the end. Never remove, rename, or move a migration. `Migrations(array)`
/// creates a list from an array, and `steps` are its migrations, each with its `name`.
public struct Migrations: Sendable, ExpressibleByArrayLiteral {
  /// The migrations in order.
  @_documentation(visibility: internal)
  public let steps: [Migration]

  /// Creates a list of migrations, oldest first.
  @_documentation(visibility: internal)
  public init(_ steps: [Migration]) { self.steps = steps }

  @_documentation(visibility: internal)
  public init(arrayLiteral steps: Migration...) { self.init(steps) }

  /// Returns the migrations that a file lacks.
  ///
  /// - Parameter applied: The names of the file's migrations, in order.
  /// - Throws: ``DatabaseError`` with code `newerVersion` if this list does not begin with them.
  func pending(after applied: [String]) throws -> ArraySlice<Migration> {
    let names = steps.map(\.name)
    let unknown = applied.filter { !names.contains($0) }
    guard unknown.isEmpty else {
      let list = unknown.map { "“\($0)”" }.joined(separator: ", ")
      throw DatabaseError(
        .newerVersion,
        "The file has migrations that the app lacks: \(list). A newer version of the app made the file: "
          + "update the app. In development, switch back to the branch that made it, restore the name "
          + "of a migration that was renamed or removed, or delete the file. It was left untouched."
      )
    }
    guard applied.elementsEqual(names.prefix(applied.count)) else {
      let place = applied.indices.first { applied[$0] != names[$0] } ?? 0
      throw DatabaseError(
        .newerVersion,
        "The file has migration “\(applied[place])” where this version of the app expects "
          + "“\(names[place])”. Add new migrations at the end, and move none that was released; "
          + "the file was left untouched.")
    }
    return steps[applied.count...]
  }

  /// Checks that each migration has a unique name.
  /// - Throws: ``DatabaseError`` with code `declaration` if a name is empty or used twice.
  func check() throws {
    var names: Set<String> = []
    for step in steps {
      guard !step.name.isEmpty else {
        throw DatabaseError(.declaration, "A migration has no name. Give it one of its own.")
      }
      guard names.insert(step.name).inserted else {
        throw DatabaseError(
          .declaration, "Two migrations are named “\(step.name)”. Give the later another name.")
      }
    }
  }
}
