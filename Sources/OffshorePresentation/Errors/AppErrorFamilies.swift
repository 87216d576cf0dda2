/// A failure of the connection to a server.
public enum NetworkError: Error, Equatable, Sendable {
  /// There is no connection.
  case offline
  /// The server did not answer in time.
  case timedOut
  /// The server answered with an error.
  case server(statusCode: Int)
  /// The server refuses further requests for a while: for this number of seconds, if it states one.
  case rateLimited(retryAfter: Int?)
  /// The request was cancelled.
  case cancelled
}

/// A failure of authentication or authorization.
public enum AuthError: Error, Equatable, Sendable {
  /// The device is not signed in.
  case notSignedIn
  /// The name or the password is wrong.
  case invalidCredentials
  /// The access token is not valid any more.
  case expired
  /// The account may not do this.
  case forbidden
  /// The server does not accept sign-ups: its operator creates the accounts.
  case signUpClosed
  /// An account with the name exists already.
  case nameTaken
  /// The data on the device belongs to another account, with this name.
  case otherAccount(String)
  /// The invitation was used, has expired, or does not exist.
  case invalidInvitation
  /// The scope would have no owner left.
  case lastOwner
}

/// A failure about requested content.
public enum ContentError: Error, Equatable, Sendable {
  /// The content does not exist, or was deleted.
  case notFound
  /// The content is damaged, or its format is unknown.
  case unreadable
  /// The content is larger than allowed.
  case tooLarge
  /// The server allows no more items of this kind.
  case limitReached
}

/// A failure of syncing.
public enum SyncError: Error, Equatable, Sendable {
  /// Two devices, or two screens of one device, changed the same value, and the user has to choose.
  case conflict
  /// The server refused a change, with its own words as the reason.
  case rejected(reason: String)
  /// The server does not accept this version of the app any more.
  case tooOld
  /// Syncing is paused.
  case paused
}

/// Invalid input.
///
/// Fields are named as in the source code; ``FieldNames`` has their labels.
public enum ValidationError: Error, Equatable, Sendable {
  /// The name is empty or blank.
  case emptyName
  /// The end is before the start.
  case invalidDateRange
  /// A required field is empty.
  case missingRequiredFields
  /// A text has fewer characters than required.
  case tooShort(field: String, minimum: Int)
  /// A text has more characters than allowed.
  case tooLong(field: String, maximum: Int)
  /// The length of a text is outside the allowed range.
  case wrongLength(field: String, range: ClosedRange<Int>)
  /// A number or a choice is not one of the possible values.
  case outOfRange(field: String)
}

/// A failure of the storage on this device.
public enum DatabaseFailure: Error, Equatable, Sendable {
  /// Reading failed.
  case readFailed
  /// Writing failed, and nothing was changed.
  case writeFailed
  /// A value violates a constraint of its table, and nothing was changed; the detail names the
  /// column or the constraint, without values.
  case refused(detail: String)
  /// The data could not be migrated to the schema of this version.
  case migrationFailed
  /// The data was saved by a newer version of the app.
  case newerVersion
  /// The storage itself is damaged; the detail names the kind of damage, without values.
  case corrupted(detail: String)
  /// One stored entry is damaged, and can be deleted. All other entries are intact.
  case unreadable(StoredPlace)
  /// The entry does not exist, or was deleted.
  case notFound
  /// The disk is full.
  case full
  /// The data is in use by another process.
  case busy
}
