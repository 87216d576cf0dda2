import OffshorePresentation

/// A place for the errors of rows, which the closures of a list share before its model exists.
@MainActor final class ErrorReceiver {
  var receive: ([AppError]) -> Void = { _ in }
}
