import Foundation

/// The folder that the host keeps its data in, for the eyes of its user alone.
struct DataFolder {
  let path: String

  /// Makes the folder, or takes away what others may do with one that is there.
  ///
  /// - Throws: ``HostError`` where it cannot be made, entered, or written.
  init(_ path: String) throws {
    let path = NSString(string: path).expandingTildeInPath
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    } catch {
      throw HostError("The folder “\(path)” cannot be used. Choose another by --home DIR.")
    }
    try requireWritable()
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes and removes a file: permission bits do not tell of read-only file systems.
  private func requireWritable() throws {
    let probe = file(".writable-\(getpid())")
    guard FileManager.default.createFile(atPath: probe, contents: Data()) else {
      throw HostError(
        "The folder “\(path)” cannot be written. Change its permissions, or choose another by "
          + "--home DIR.")
    }
    try? FileManager.default.removeItem(atPath: probe)
  }
}
