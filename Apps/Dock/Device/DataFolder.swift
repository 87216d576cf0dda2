import Foundation

/// The folder that the host keeps its data in, for the eyes of its user alone.
struct DataFolder {
  /// What the host keeps in it.
  enum File: String, CaseIterable {
    case anyfleet = "anyfleet.sqlite"
    case launchToken = "launch-token"
    case server = "server.sqlite"
    case serverPort = "server-port"
  }

  let path: String

  /// Makes the folder, or takes away what others may do with one that is empty or the host's.
  ///
  /// - Throws: ``HostError`` where it cannot be made, entered, or written, and where it is open to
  ///   others and holds something else: closing it might lock somebody out.
  init(_ path: String) throws {
    let path = NSString(string: path).expandingTildeInPath
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: Self.privatePermissions])
      try close()
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError("The folder “\(path)” cannot be used. Choose another by --home DIR.")
    }
    try requireWritable()
  }

  /// The path of a file in the folder.
  func path(of file: File) -> String { path + "/" + file.rawValue }

  private static let privatePermissions = 0o700

  private func close() throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let permissions = attributes[.posixPermissions] as? Int
    guard permissions != Self.privatePermissions else { return }
    let contents = try FileManager.default.contentsOfDirectory(atPath: path)
    guard contents.isEmpty || contents.contains(where: { File(rawValue: $0) != nil }) else {
      throw HostError(
        "The folder “\(path)” holds other files and is open to other users. "
          + "Choose one for this data alone by --home DIR.")
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: Self.privatePermissions], ofItemAtPath: path)
  }

  /// Writes and removes a file: permission bits do not tell of read-only file systems.
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
