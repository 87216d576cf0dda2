import Foundation
import TestSupport

@testable import Offshore

/// A file that no connection has open, to be opened for reading alone.
enum ReadOnlyFile {
  static let configuration: DatabaseConfiguration = {
    var configuration = DatabaseConfiguration()
    configuration.isReadOnly = true
    return configuration
  }()

  static let migrations: Migrations = [
    Migration("v1_createCharters") { try $0.create(Charter.table) }
  ]

  /// Makes a file with a charter in the database, and perhaps another in its log alone, as a killed process
  /// leaves them.
  /// - Returns: the path.
  static func make(
    in folder: TemporaryFolder, _ name: String = "a.sqlite", hasLog: Bool
  ) throws -> String {
    let source = try TemporaryFolder()
    let connection = try Connection(source.file("a.sqlite"))
    try connection.migrate(migrations)
    try connection.write { try Charter("in the file").insert($0) }
    _ = try connection.checkpoint(.truncate)
    if hasLog { try connection.write { try Charter("in the log").insert($0) } }
    for suffix in ["", "-wal"] where suffix.isEmpty || hasLog {
      try FileManager.default.copyItem(
        atPath: source.file("a.sqlite" + suffix), toPath: folder.file(name + suffix))
    }
    return folder.file(name)
  }
}
