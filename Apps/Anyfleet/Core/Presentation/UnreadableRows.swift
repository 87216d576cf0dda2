public import Observation
public import OffshorePresentation

/// The rows that lists left out because they cannot be read, to be shown beside what they show.
@MainActor @Observable
public final class UnreadableRows {
  /// The errors, each once, in the order in which they were met.
  public private(set) var errors: [AppError] = []

  /// Begins without any.
  public init() {}

  /// Adds the error of a row, unless it is there.
  public func add(_ error: RepositoryError) {
    let error = error.asAppError
    if !errors.contains(error) { errors.append(error) }
  }
}
