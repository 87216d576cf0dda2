/// The values of a query over time: the current ones at once, then new ones after each commit that
/// changes them.
///
/// ```swift
/// for try await charters in database.values(of: Charter.order { $0.startDate }) {
///   show(charters)
/// }
/// ```
///
/// It is an `AsyncSequence`: an iterator returns a value, or `nil` if the task is cancelled. Create
/// only one iterator, because several would share the values: each receives only some of them, and
/// a call of `next()` ends the call that another iterator has pending, which returns `nil`. For a
/// second consumer, call ``Database/values(of:)`` again. The sequence keeps the database open.
///
/// Commits of other databases of the file count, too, in this process and in others. After a commit
/// of another process, all observations fetch again, because SQLite does not report its changes. It
/// is noticed within milliseconds. If the system refuses to watch the file, `watchError` of the
/// database has the reason, and such commits are noticed at the next read or write.
///
/// A slow consumer receives the latest values, never a queue of old ones. After a passing error,
/// such as a lock, the fetch is retried, as ``status`` shows. Any other error is thrown once, which
/// ends a `for` loop. The iterator can still be used: the fetch runs again after the next commit
/// that changes data it reads, and `next()` returns its value or throws its error. After the
/// database was closed, or its file deleted, moved or replaced, a ``DatabaseError`` has code
/// `closed` or `fileRemoved`.
public struct ObservedValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// An iterator over the values.
  @_documentation(visibility: internal)
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: ObservedValues

    /// Awaits the next value.
    /// - Returns: The value, or `nil` if the task is cancelled.
    /// - Throws: The error of the fetch; ``DatabaseError`` with code `closed` after the database
    ///   was closed, or `fileRemoved` after its file was deleted, moved or replaced.
    public mutating func next() async throws -> Value? {
      try await values.subscription.next()
    }
  }

  fileprivate let fetch: SharedFetch<Value>
  fileprivate let subscription: Subscription<Value>
  // Keeps the database open while values are awaited.
  private let database: Database

  init(_ database: Database, _ key: SQL?, _ fetch: @escaping @Sendable (Reader) throws -> Value) {
    self.database = database
    (self.fetch, subscription) = database.observations.subscribe(
      key.map { ObservationCenter.Key(sql: $0, type: ObjectIdentifier(Value.self)) }, fetch)
  }

  /// The current status of the observation.
  ///
  /// It is `.starting` during the first fetch; `.current` after a fetch has succeeded, also while
  /// the values of a newer commit are being fetched; `.retrying(error, attempt:)` after a passing
  /// error, such as a lock; or `.failed(error)` after another error, until a later fetch succeeds.
  public var status: ObservationStatus { fetch.status }

  /// Returns the reason for the last fetch, for example "commit 7 changed charters (name)". It is
  /// not the plan of the query, which ``Fetchable/explain(_:)`` returns.
  public func explain() -> String { fetch.cause }

  /// Returns an iterator. Create only one: several would share the values.
  @_documentation(visibility: internal)
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }
}

/// Observed values that can be brought up to date with the writes so far, without a read.
package protocol CurrentValues: AsyncSequence {
  /// Delivers a value again, even if it has not changed: the first one that contains every write
  /// answered before this call.
  ///
  /// - Returns: The number of values and errors delivered before. Each further one contains those
  ///   writes.
  func deliverAgain() -> Int
}

extension ObservedValues: CurrentValues {
  package func deliverAgain() -> Int { fetch.deliverAgain(to: subscription) }
}

extension Database {
  /// Observes the results of a ``Fetchable``: a query, a join, a selection or an
  /// ``IncludingQuery``.
  ///
  /// The first value contains every write that was answered before this call. Further values follow
  /// the commits of this and other databases of the file, and of other processes. Equal queries
  /// share their fetches, except selections with a function that creates the values, such as
  /// `select(Summary.init) { … }`.
  public func values<Results: Fetchable>(
    of results: Results
  ) -> ObservedValues<[Results.Element]> where Results.Element: Equatable {
    ObservedValues(self, results.sharedSQL) { try results.all($0) }
  }

  /// Observes the result of a closure, which can read different rows each time. The same commits
  /// count as for ``values(of:)``.
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

/// The status of an observation.
@_documentation(visibility: internal)
public enum ObservationStatus: Sendable {
  /// Its values are being fetched for the first time.
  case starting
  /// The last fetch has succeeded; another one may be running.
  case current
  /// The last fetch met a passing error, such as a lock, and is being retried.
  case retrying(DatabaseError, attempt: Int)
  /// The last fetch has failed. It runs again after the next commit that changes data it reads.
  case failed(any Error)
}
