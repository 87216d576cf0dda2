import Foundation
import OffshoreWeb

/// A file with a secret in the folder of a host, readable by its user only.
package struct SecretFile: Sendable {
  private let path: String
  private let minimumLength: Int

  /// Names a file.
  ///
  /// - Parameters:
  ///   - name: the name of the file in the folder.
  ///   - minimumLength: the minimum number of characters of the secret. A shorter one is too easily
  ///     guessed, and is the rest of a file that was not written completely.
  package init(_ name: String, in folder: DataFolder, minimumLength: Int) {
    path = folder.path(of: name)
    self.minimumLength = minimumLength
  }

  /// Returns the secret without surrounding white space, or `nil` if the file is missing or its
  /// secret is too short.
  package func load() -> String? {
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    let secret = text?.trimmingCharacters(in: .whitespacesAndNewlines)
    return secret.flatMap { $0.count >= minimumLength ? $0 : nil }
  }

  /// Replaces the file as a whole.
  ///
  /// - Throws: ``HostError`` if it cannot be written.
  package func store(_ secret: String) throws {
    let next = path + ".next"
    // An existing file would retain its permissions.
    try? FileManager.default.removeItem(atPath: next)
    let isWritten = FileManager.default.createFile(
      atPath: next, contents: Data(secret.utf8), attributes: [.posixPermissions: 0o600])
    guard isWritten, rename(next, path) == 0 else {
      throw HostError("“\(path)” cannot be written. Free some space, or choose another --home DIR.")
    }
  }
}

/// The secret of a device's launch token. It is stored with the data, so that the printed address
/// opens after a restart, and open pages get the next cookie.
package enum LaunchSecret {
  /// The name of its file.
  package static let fileName = "launch-secret"
  /// The name of the file of former versions. Browsers had its secret as a cookie, which they sent
  /// to each port of this machine, so it is not used any more.
  private static let formerFileName = "launch-token"

  /// Returns the stored secret, or stores a new one.
  ///
  /// - Throws: ``HostError`` if it cannot be stored.
  package static func loadOrCreate(in folder: DataFolder) throws -> String {
    try? FileManager.default.removeItem(atPath: folder.path(of: formerFileName))
    let file = SecretFile(fileName, in: folder, minimumLength: 20)
    if let stored = file.load() { return stored }
    let secret = LaunchToken.randomSecret()
    try file.store(secret)
    return secret
  }
}
