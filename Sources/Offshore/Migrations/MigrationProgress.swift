import Synchronization

/// The position of a running migration among those that a file lacked.
@_documentation(visibility: internal)
public struct MigrationProgress: Equatable, Sendable {
  /// The name of the migration.
  public let migration: String
  /// Its position among the migrations to run, from 1.
  public let position: Int
  /// The number of migrations to run.
  public let count: Int
  /// The fraction of copied rows, from 0 to 1, while a table is rebuilt; `nil` during other work.
  public var fraction: Double?
}

/// An opening of a database that its caller observes and can cancel.
final class Opening: Sendable {
  private struct State {
    var progress: MigrationProgress?
    var isUndoing = false
  }

  let cancellation: CancellationFlag
  private let report: @Sendable (MigrationProgress) -> Void
  private let state = Mutex(State())

  init(
    _ cancellation: CancellationFlag, _ report: @escaping @Sendable (MigrationProgress) -> Void
  ) {
    self.cancellation = cancellation
    self.report = report
  }

  var isCancelled: Bool { cancellation.isSet }

  /// Whether to interrupt the running statement.
  var mustStop: Bool { isCancelled && !isUndoing }

  /// Whether the running statements undo a migration. A cancellation does not interrupt them.
  var isUndoing: Bool {
    get { state.withLock { $0.isUndoing } }
    set { state.withLock { $0.isUndoing = newValue } }
  }

  func begin(_ progress: MigrationProgress) {
    state.withLock { $0.progress = progress }
    report(progress)
  }

  /// Reports the fraction of copied rows.
  func copied(_ rows: Int, of total: Int) {
    guard var progress = state.withLock({ $0.progress }) else { return }
    progress.fraction = total == 0 ? 1 : min(1, Double(rows) / Double(total))
    report(progress)
  }
}
