extension AppError {
  /// What happened, in a sentence to show.
  public var localizedMessage: String { EnglishErrors.message(for: self) }

  /// What one can do about it, in a sentence to show; none where the message says it all.
  public var recoverySuggestion: String? { EnglishErrors.suggestion(for: self) }
}

/// The sentences for errors in English.
///
/// Each function is a `switch` over one family, so that a new case does not compile without its
/// sentence.
private enum EnglishErrors {
  static func message(for error: AppError) -> String {
    switch error {
    case .network(let error): message(for: error)
    case .auth(let error): message(for: error)
    case .content(let error): message(for: error)
    case .sync(let error): message(for: error)
    case .validation(let error): message(for: error)
    case .database(let error): message(for: error)
    case .unknown: "Something went wrong."
    }
  }

  static func suggestion(for error: AppError) -> String? {
    switch error {
    case .network(let error): suggestion(for: error)
    case .auth(let error): suggestion(for: error)
    case .content(let error): suggestion(for: error)
    case .sync(let error): suggestion(for: error)
    case .validation: nil
    case .database(let error): suggestion(for: error)
    case .unknown: "Try again."
    }
  }

  // MARK: - Messages

  private static func message(for error: NetworkError) -> String {
    switch error {
    case .offline: "There is no connection."
    case .timedOut: "The server did not answer in time."
    case .server(let statusCode): "The server answered with error \(statusCode)."
    case .rateLimited: "The server is busy."
    case .cancelled: "The request was cancelled."
    }
  }

  private static func message(for error: AuthError) -> String {
    switch error {
    case .notSignedIn: "You are not signed in."
    case .invalidCredentials: "Name and password do not match."
    case .expired: "Your sign-in has expired."
    case .forbidden: "You are not allowed to do this."
    }
  }

  private static func message(for error: ContentError) -> String {
    switch error {
    case .notFound: "This does not exist, or not any more."
    case .unreadable: "This cannot be read."
    case .tooLarge: "This is too large."
    }
  }

  private static func message(for error: SyncError) -> String {
    switch error {
    case .conflict: "This was changed on another device too."
    case .rejected(let reason): "The server did not accept a change: \(reason)"
    case .tooOld: "This version of the app is too old to sync."
    case .paused: "Syncing is paused."
    }
  }

  private static func message(for error: ValidationError) -> String {
    switch error {
    case .emptyName: "Enter a name."
    case .invalidDateRange: "The end lies before the start."
    case .missingRequiredFields: "Some required fields are empty."
    case .tooShort(let field, let minimum):
      "\(label(of: field)) needs at least \(characters(minimum))."
    case .tooLong(let field, let maximum):
      "\(label(of: field)) may have at most \(characters(maximum))."
    case .outOfRange(let field): "\(label(of: field)) is not in the possible range."
    }
  }

  private static func message(for error: DatabaseFailure) -> String {
    switch error {
    case .readFailed: "Your data could not be read."
    case .writeFailed: "Your change could not be saved."
    case .migrationFailed: "Your data could not be prepared for this version of the app."
    case .corrupted(let detail): "Some of your data is damaged (\(detail))."
    case .notFound: "This does not exist on this device, or not any more."
    case .full: "The disk is full, so your change was not saved."
    case .busy: "Your data is in use by another program."
    }
  }

  // MARK: - Suggestions

  private static func suggestion(for error: NetworkError) -> String? {
    switch error {
    case .offline: "Your changes are kept on this device until there is one."
    case .timedOut, .server: "Try again in a moment."
    case .rateLimited(nil): "Try again in a moment."
    case .rateLimited(let seconds?):
      "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
    case .cancelled: nil
    }
  }

  private static func suggestion(for error: AuthError) -> String? {
    switch error {
    case .notSignedIn: "Sign in, or continue on this device."
    case .invalidCredentials: "Check both and try again."
    case .expired: "Sign in again."
    case .forbidden: "Ask the owner for access."
    }
  }

  private static func suggestion(for error: ContentError) -> String? {
    switch error {
    case .notFound: "Go back and choose another."
    case .unreadable: "Make it anew, or restore a backup."
    case .tooLarge: "Choose something smaller."
    }
  }

  private static func suggestion(for error: SyncError) -> String? {
    switch error {
    case .conflict: "Look at both versions and choose."
    case .rejected: "Change it and try again, or discard the change."
    case .tooOld: "Update the app. Your changes are kept on this device."
    case .paused: "Resume it in the settings."
    }
  }

  private static func suggestion(for error: DatabaseFailure) -> String? {
    switch error {
    case .readFailed, .writeFailed: "Try again."
    case .migrationFailed: "Your data was left as it was. Update the app."
    case .corrupted: "The rest is shown. Restore a backup to get it back."
    case .notFound: "Go back and choose another."
    case .full: "Free some space and try again."
    case .busy: "Close the other program, or try again in a moment."
    }
  }

  // MARK: - Words

  private static func characters(_ count: Int) -> String {
    count == 1 ? "1 character" : "\(count) characters"
  }

  /// A field's name in words: `startDate` is "Start date".
  private static func label(of field: String) -> String {
    let words = field.reduce(into: "") { words, character in
      words += character.isUppercase ? " \(character.lowercased())" : "\(character)"
    }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
