import Synchronization

/// The place of a migration among those that a file lacks, while it runs.
public struct MigrationProgress: Equatable, Sendable {
  /// The migration's name.
  public let migration: String
  /// Its place among the migrations to run, from 1.
  public let position: Int
  /// The number of migrations to run.
  public let count: Int
  /// The part of a table's rows that is copied, from 0 to 1, while a table is rebuilt; `nil` for other work.
  public var fraction: Double?
}

/// The opening of a database whose caller follows it and may cancel it.
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

  /// Whether the running statement is interrupted.
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

  /// Reports the part of the rows that is copied.
  func copied(_ rows: Int, of total: Int) {
    guard var progress = state.withLock({ $0.progress }) else { return }
    progress.fraction = total == 0 ? 1 : min(1, Double(rows) / Double(total))
    report(progress)
  }
}
