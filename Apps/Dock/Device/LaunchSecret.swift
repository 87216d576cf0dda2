import Foundation
import OffshoreWeb

/// The secret that lets a browser in, kept with the data so that open pages survive a restart.
enum LaunchSecret {
  /// The shortest secret that is taken from a file: less is guessed too easily.
  private static let minimumLength = 20

  /// The kept secret, or a new one where there is none.
  ///
  /// - Throws: ``HostError`` where it cannot be kept.
  static func kept(in folder: DataFolder) throws -> String {
    let path = folder.path(of: .launchToken)
    if let kept = try? String(contentsOfFile: path, encoding: .utf8), kept.count >= minimumLength {
      return kept
    }
    let secret = LaunchToken.randomSecret()
    let isKept = FileManager.default.createFile(
      atPath: path, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
    guard isKept else {
      throw HostError("“\(path)” cannot be written. Free some space, or choose another --home DIR.")
    }
    return secret
  }
}
