/// What an observation is doing.
public enum ObservationStatus: Sendable {
  /// Its values are being fetched for the first time.
  case starting
  /// Its values are those of the last commit that could change them, or are about to be.
  case current
  /// The last fetch met a passing obstacle, such as a lock, and is being tried again.
  case retrying(DatabaseError, attempt: Int)
  /// The last fetch failed. It runs again after the next commit that touches what it reads.
  case failed(any Error)
}
