public import OffshorePresentation

/// A charter was to be stored under an id that another one has.
public struct CharterExists: Error, Equatable, Sendable {
  /// The charter that is there.
  public let charter: CharterModel
}

extension CharterExists: AppErrorConvertible {
  public var asAppError: AppError { .database(.writeFailed) }
}
