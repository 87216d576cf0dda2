/// All migrations that a database has gone through, oldest first.
///
/// ```swift
/// let migrations: Migrations = [
///   Migration("v1.0.0_createCharters", .create(Charter.table)),
///   Migration("v1.1.0_addGuests", .addColumn("guests", to: Charter.table)),
/// ]
/// let applied = try connection.migrate(migrations)
/// ```
///
/// New ones go to the end. None is ever removed, renamed, or moved.
public struct Migrations: Sendable, ExpressibleByArrayLiteral {
  /// The migrations in order.
  public let steps: [Migration]

  /// Creates a list of migrations, oldest first.
  public init(_ steps: [Migration]) { self.steps = steps }

  public init(arrayLiteral steps: Migration...) { self.init(steps) }

  /// The migrations that a file lacks.
  ///
  /// - Parameter applied: the names of those that it has, in order.
  /// - Throws: ``DatabaseError``: `newerVersion` if it has others than this list begins with.
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

  /// - Throws: ``DatabaseError`` with code `declaration` where names do not tell migrations apart.
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
