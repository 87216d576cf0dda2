import Foundation

/// The folder of a host's files, readable by its user only.
package struct DataFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// Creates the folder, or restricts an existing one to its user if it is empty or contains files
  /// of the host.
  ///
  /// - Parameter names: the names of the files that the host stores in it.
  /// - Throws: ``HostError`` if it cannot be created, entered or written; or if other users can
  ///   read it and it contains only other files, because restricting it could lock them out.
  package init(_ path: String, for names: Set<String>) throws {
    let path = NSString(string: path).expandingTildeInPath
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: Self.privatePermissions])
      try close(for: names)
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError("The folder “\(path)” cannot be used. Choose another by --home DIR.")
    }
    try requireWritable()
  }

  /// Returns the path of a file in the folder.
  package func path(of name: String) -> String { path + "/" + name }

  private static let privatePermissions = 0o700

  private func close(for names: Set<String>) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let permissions = attributes[.posixPermissions] as? Int
    guard permissions != Self.privatePermissions else { return }
    let contents = try FileManager.default.contentsOfDirectory(atPath: path)
    guard contents.isEmpty || !names.isDisjoint(with: contents) else {
      throw HostError(
        "The folder “\(path)” holds other files and is open to other users. "
          + "Choose one for this data alone by --home DIR.")
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: Self.privatePermissions], ofItemAtPath: path)
  }

  /// Writes and removes a file, because permission bits do not show whether a file system is
  /// read-only.
  private func requireWritable() throws {
    let probe = path + "/.writable-\(getpid())"
    guard FileManager.default.createFile(atPath: probe, contents: Data()) else {
      throw HostError(
        "The folder “\(path)” cannot be written. Change its permissions, or choose another by "
          + "--home DIR.")
    }
    try? FileManager.default.removeItem(atPath: probe)
  }
}
