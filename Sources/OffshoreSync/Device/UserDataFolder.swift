import Foundation
import Offshore

/// The folder of an app's data in the home of the user.
///
/// See <https://specifications.freedesktop.org/basedir-spec/latest/>.
package struct UserDataFolder {
  /// The path of the folder.
  package let path: String

  /// Determines the folder of an app.
  /// - Parameter name: the name of the app, which is that of the folder.
  package init(
    of name: String, environment: [String: String] = ProcessInfo.processInfo.environment,
    home: String = NSHomeDirectory()
  ) {
    let set = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    path = "\(set ?? "\(home)/.local/share")/\(name)"
  }

  /// Creates the folder if it is missing, for its user only.
  /// - Returns: the path of a file in it.
  /// - Throws: `DatabaseError` with the code `cannotOpen`.
  package func makePath(of file: String) throws -> String {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw DatabaseError(.cannotOpen, "The data folder cannot be made. Check its permissions.")
    }
    return "\(path)/\(file)"
  }
}
