extension DatabaseError {
  /// The error in words for the app's users, in English: what they can do, without the names of tables and
  /// migrations that ``message`` has for developers.
  public var userMessage: String {
    switch code {
    case .newerVersion:
      "This data was saved by a newer version of the app. Update the app to open it."
    case .notADatabase: "The app cannot read this file. Choose another one."
    case .corrupted: "The app's data is damaged. Restore a backup."
    case .readOnly, .cannotOpen:
      "The app may not store data here. Check the permissions of its folder."
    case .diskFull: "The disk is full. Free some space and try again; no stored data was lost."
    case .inputOutput: "The disk could not be read or written. Check it and try again."
    case .busy: "The data is in use by another program. Try again."
    case .migrationFailed:
      "The data could not be updated for this version of the app, and was left as it was. Update the app, "
        + "or contact its developers."
    default: "The data could not be read or changed. Try again."
    }
  }
}
