import Offshore
import TestSupport

/// A connection to a separate file, in a folder that is removed with it.
final class TestConnection {
  let folder: TemporaryFolder
  let connection: Connection

  /// Opens a new file and runs statements that create its schema.
  init(_ creation: SQL...) throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.synchronous = .off
    connection = try Connection(folder.file("test.sqlite"), configuration: configuration)
    for sql in creation { try connection.execute(sql) }
  }

  deinit { connection.close() }
}
