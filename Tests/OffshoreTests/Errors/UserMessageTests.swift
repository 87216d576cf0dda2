import Testing

@testable import Offshore

struct UserMessageTests {
  @Test(arguments: [
    (
      DatabaseError.Code.newerVersion,
      "This data was saved by a newer version of the app. Update the app to open it."
    ),
    (.notADatabase, "The app cannot read this file. Choose another one."),
    (.corrupted, "The app's data is damaged. Restore a backup."),
    (.readOnly, "The app may not store data here. Check the permissions of its folder."),
    (.cannotOpen, "The app may not store data here. Check the permissions of its folder."),
    (.diskFull, "The disk is full. Free some space and try again; no stored data was lost."),
    (.inputOutput, "The disk could not be read or written. Check it and try again."),
    (.busy, "The data is in use by another program. Try again."),
    (
      .migrationFailed,
      "The data could not be updated for this version of the app, and was left as it was. Update the "
        + "app, or contact its developers."
    ),
    (.constraint, "The data could not be read or changed. Try again."),
  ])
  func `Users are told what they can do`(_ code: DatabaseError.Code, _ sentence: String) {
    let error = DatabaseError(code, "“v2_notes” of “items”")
    #expect(error.userMessage == sentence)
    #expect(!error.userMessage.contains("items"))
  }
}
