/// A change from one version of the schema to the next, by one or more steps.
///
/// ```swift
/// Migration("v1.0.0_createCharters", .create(Charter.table))
/// Migration("v1.1.0_addGuests", .addColumn("guests", to: Charter.table))
/// ```
///
/// A migration must never change after its release: files that have it do not run it again. Steps
/// are designed for this. A closure, `Migration("v2") { writer in … }`, is the step
/// ``MigrationStep/perform(_:)``. It may run in files of any age, so it should name tables and
/// columns in SQL rather than use types that change with the app.
public struct Migration: Sendable {
  /// The name by which files record the migration.
  @_documentation(visibility: internal)
  public let name: String
  var steps: [MigrationStep]

  /// Declares a migration by its name and its steps in order.
  ///
  /// - Parameters:
  ///   - name: The name by which files record the migration; it must be unique among them.
  ///   - steps: The steps, which run in one transaction.
  public init(_ name: String, _ steps: MigrationStep...) {
    self.name = name
    self.steps = steps
  }

  /// Declares a migration by its name and a closure, as `Migration(name, .perform(body))` does.
  @_documentation(visibility: internal)
  public init(_ name: String, _ body: @escaping @Sendable (Writer) throws -> Void) {
    self.init(name, .perform(body))
  }
}
