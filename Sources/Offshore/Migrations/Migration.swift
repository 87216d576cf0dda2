/// One step from a version of the schema to the next.
///
/// ```swift
/// Migration("v1.1.0_addGuests") { writer in
///   try SQL("ALTER TABLE charters ADD COLUMN guests INTEGER NOT NULL DEFAULT 0").run(writer)
/// }
/// ```
///
/// Once released, a migration never changes: files that have it do not run it again. So write what
/// it does in SQL rather than in terms of types that move on with the app.
public struct Migration: Sendable {
  /// The name by which files remember that they have the migration.
  public let name: String
  let body: @Sendable (Writer) throws -> Void

  /// Declares a step by its name and what it does.
  public init(_ name: String, _ body: @escaping @Sendable (Writer) throws -> Void) {
    self.name = name
    self.body = body
  }
}
