/// The status of an observation.
@_documentation(visibility: internal)
public enum ObservationStatus: Sendable {
  /// Its values are being fetched for the first time.
  case starting
  /// Its values are those of the last commit that could change them, or are being fetched again.
  case current
  /// The last fetch met a passing error, such as a lock, and is being retried.
  case retrying(DatabaseError, attempt: Int)
  /// The last fetch failed. It runs again after the next commit that changes data it reads.
  case failed(any Error)
}
