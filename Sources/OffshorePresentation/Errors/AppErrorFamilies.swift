/// What can go wrong between this device and a server.
public enum NetworkError: Error, Equatable, Sendable {
  /// There is no connection.
  case offline
  /// The server did not answer in time.
  case timedOut
  /// The server answered with an error.
  case server(statusCode: Int)
  /// The server asks for a pause, of some seconds where it says so.
  case rateLimited(retryAfter: Int?)
  /// The request was given up.
  case cancelled
}

/// What can go wrong with who somebody is and what they may do.
public enum AuthError: Error, Equatable, Sendable {
  /// Nobody is signed in.
  case notSignedIn
  /// Name and password do not belong together.
  case invalidCredentials
  /// The sign-in is no longer valid.
  case expired
  /// Somebody is signed in who may not do this.
  case forbidden
  /// Accounts are made by those who run the server.
  case signUpClosed
  /// There is an account with the name.
  case nameTaken
  /// The device's data belongs to another account, of a name.
  case otherAccount(String)
  /// The invitation was used, has expired, or never was.
  case invalidInvitation
  /// Nobody would be left who may let others in.
  case lastOwner
}

/// What can go wrong with something that was asked for.
public enum ContentError: Error, Equatable, Sendable {
  /// It does not exist, or not any more.
  case notFound
  /// It is damaged or of an unknown form.
  case unreadable
  /// It is larger than is allowed.
  case tooLarge
  /// There are as many as there may be.
  case limitReached
}

/// What can go wrong when devices exchange changes.
public enum SyncError: Error, Equatable, Sendable {
  /// Two devices, or two screens of one, changed the same thing, and somebody has to choose.
  case conflict
  /// The server did not accept a change, for a reason in its words.
  case rejected(reason: String)
  /// This version of the app cannot exchange changes any more.
  case tooOld
  /// The exchange is paused.
  case paused
}

/// What can be wrong with what somebody entered.
///
/// Fields are named as in the source code; ``FieldNames`` says what they are called on screen.
public enum ValidationError: Error, Equatable, Sendable {
  /// The name is empty or blank.
  case emptyName
  /// The end lies before the start.
  case invalidDateRange
  /// Something that is needed is missing.
  case missingRequiredFields
  /// A text has fewer characters than it must have.
  case tooShort(field: String, minimum: Int)
  /// A text has more characters than it may have.
  case tooLong(field: String, maximum: Int)
  /// A text has more or fewer characters than it may have.
  case wrongLength(field: String, range: ClosedRange<Int>)
  /// A number or a choice is not one of those that are possible.
  case outOfRange(field: String)
}

/// What can go wrong with what is stored on this device.
public enum DatabaseFailure: Error, Equatable, Sendable {
  /// Reading failed.
  case readFailed
  /// Writing failed, and nothing was changed.
  case writeFailed
  /// A value breaks a rule of its table, and nothing was changed; the detail names the column or the
  /// rule, without values.
  case refused(detail: String)
  /// The data could not be brought into the form that this version needs.
  case migrationFailed
  /// The data was saved by a newer version of the app.
  case newerVersion
  /// The store itself is damaged; the detail names the kind of damage, without values.
  case corrupted(detail: String)
  /// One stored entry is damaged, and can be deleted. All others are as they were.
  case unreadable(StoredPlace)
  /// It is not there, or not any more.
  case notFound
  /// The disk is full.
  case full
  /// Another process is using the data.
  case busy
}
