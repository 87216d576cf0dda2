import Offshore
import Synchronization

/// A row of a database as the place of a shared value.
final class RowPlace<Row>: SharedPlace
where Row: Record & Identifiable & Equatable, Row.ID: Sendable {
  typealias Value = Row

  private let database: Database
  private let id: Row.ID
  private let defaultValue: Row
  /// The values, from the first observation on.
  private let values = Mutex<ObservedValues<Row?>?>(nil)
  /// The number of values that were delivered, and the number of those that may lack the changes
  /// stored here.
  private let arrivals = Mutex((count: 0, outdated: 0))

  init(_ database: Database, _ id: Row.ID, _ defaultValue: Row) {
    (self.database, self.id, self.defaultValue) = (database, id, defaultValue)
  }

  // MARK: - Observation

  func observe(
    _ receive: @escaping @Sendable (Result<Row?, any Error>) -> Void
  ) async -> any Sendable {
    let (first, continuation) = AsyncStream.makeStream(of: Never.self)
    let values = database.values { [id] in try Row.find(id).first($0) }
    self.values.withLock { $0 = values }
    let task = Task { [weak self] in
      var iterator = values.makeAsyncIterator()
      while !Task.isCancelled {
        let row: Result<Row?, any Error>
        do {
          guard let value = try await iterator.next() else { break }
          row = .success(value)
        } catch {
          row = .failure(error)
        }
        if self?.arrives() ?? false { receive(row) }
        continuation.finish()
        if case .failure(let error as DatabaseError) = row, error.code == .closed { break }
      }
      continuation.finish()
    }
    for await _ in first {}
    return Observation(task: task)
  }

  /// Counts a value.
  /// - Returns: Whether it has all changes that were stored here.
  private func arrives() -> Bool {
    arrivals.withLock { arrivals in
      arrivals.count += 1
      return arrivals.count > arrivals.outdated
    }
  }

  func check() { _ = values.withLock { $0 }?.deliverAgain() }

  private final class Observation: Sendable {
    private let task: Task<Void, Never>
    init(task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }

  // MARK: - Storing

  func store(_ changes: [@Sendable (inout Row) -> Void]) async throws -> Row {
    let row = try await database.write { [id, defaultValue] writer in
      let former = try Row.find(id).first(writer)
      var row = former ?? defaultValue
      for change in changes { change(&row) }
      guard row.id == id else {
        throw FileError(
          .misuse,
          "A change of a shared row, or its default value, has another id than the row. Keep "
            + "the id.")
      }
      try row.save(writer)
      return row
    }
    if let outdated = values.withLock({ $0 })?.deliverAgain() {
      arrivals.withLock { $0.outdated = outdated }
    }
    return row
  }
}
