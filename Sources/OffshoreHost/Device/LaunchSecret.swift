import Foundation
import OffshoreWeb

/// The secret of a device's launch token. It is stored with the data, so that open pages survive a
/// restart.
package enum LaunchSecret {
  /// The name of its file.
  package static let fileName = "launch-token"
  /// The minimum length of a stored secret in characters. A shorter one is too easily guessed.
  private static let minimumLength = 20

  /// Returns the stored secret, or stores a new one.
  ///
  /// - Throws: ``HostError`` if it cannot be stored.
  package static func stored(in folder: DataFolder) throws -> String {
    let path = folder.path(of: fileName)
    if let stored = try? String(contentsOfFile: path, encoding: .utf8),
      stored.count >= minimumLength
    {
      return stored
    }
    let secret = LaunchToken.randomSecret()
    let isStored = FileManager.default.createFile(
      atPath: path, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
    guard isStored else {
      throw HostError("“\(path)” cannot be written. Free some space, or choose another --home DIR.")
    }
    return secret
  }
}
