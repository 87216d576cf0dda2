/// The values of a query over time: the first at once, then one for each commit that changes them.
///
/// ```swift
/// for try await charters in database.values(of: Charter.order { $0.startDate }) {
///   show(charters)
/// }
/// ```
///
/// Commits of other databases of the file count as well, in this process or in others. After a commit of
/// another process all observations fetch again, because SQLite does not report its changes. It is noticed
/// within milliseconds, unless there is a ``Database/watchError``.
///
/// A consumer that takes its time gets the latest values, never a queue of old ones. Passing
/// obstacles are overcome by trying again, which ``status`` shows. An error that does not pass is
/// thrown once; asking for the next value then waits for a commit that makes the fetch succeed.
public struct ObservedValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// Hands out values as they come.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: ObservedValues

    /// The next value, or `nil` where the task is cancelled.
    /// - Throws: what the fetch threw; ``DatabaseError`` with code `closed` after the database has
    ///   been closed, or `fileRemoved` after its file was deleted, moved or replaced.
    public mutating func next() async throws -> Value? {
      try await values.subscription.next()
    }
  }

  fileprivate let fetch: SharedFetch<Value>
  fileprivate let subscription: Subscription<Value>
  // Keeps the database open while somebody waits for its values.
  private let database: Database

  init(_ database: Database, _ key: SQL?, _ fetch: @escaping @Sendable (Reader) throws -> Value) {
    self.database = database
    (self.fetch, subscription) = database.observations.subscribe(
      key.map { ObservationCenter.Key(sql: $0, type: ObjectIdentifier(Value.self)) }, fetch)
  }

  /// What the observation is doing.
  public var status: ObservationStatus { fetch.status }

  /// Why the values were fetched last, for example "commit 7 changed charters (name)".
  public func explain() -> String { fetch.cause }

  /// Starts iterating. All iterators of one sequence share its values; make one.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }
}

/// Values over time that can be brought up to date with the writes so far, without a read.
package protocol CurrentValues: AsyncSequence {
  /// Hands out a value once more, though it may be no news: the first one that contains every write answered
  /// before this call.
  ///
  /// - Returns: the number of values and errors handed out before. Each further one contains those writes.
  func deliverAgain() -> Int
}

extension ObservedValues: CurrentValues {
  package func deliverAgain() -> Int { fetch.deliverAgain(to: subscription) }
}

extension Database {
  /// Follows the results of a query, a join or a selection. Equal ones share their fetches, except selections
  /// that make values by a closure.
  ///
  /// The first value holds every write that was answered before this call. Further values follow the
  /// commits of this and other databases of the file, and of other processes.
  public func values<Results: Fetchable>(
    of results: Results
  ) -> ObservedValues<[Results.Element]> where Results.Element: Equatable {
    ObservedValues(self, results.sharedSQL) { try results.all($0) }
  }

  /// Follows the result of a closure, which may read other rows each time. Commits count as they do for
  /// ``values(of:)``.
  ///
  /// ```swift
  /// database.values { try Charter.where { !$0.isArchived }.count($0) }
  /// ```
  public func values<Value: Equatable & Sendable>(
    _ fetch: @escaping @Sendable (Reader) throws -> Value
  ) -> ObservedValues<Value> {
    ObservedValues(self, nil, fetch)
  }
}
