import Foundation
import Testing

@testable import OffshoreHost

struct DataFolderTests {
  private let home = HomeFolder()

  private func folder(_ path: String) throws -> DataFolder {
    try DataFolder(path, for: ["memos.sqlite", LaunchSecret.fileName])
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func makeFolder(_ permissions: Int) throws {
    try FileManager.default.createDirectory(
      atPath: home.path, withIntermediateDirectories: true,
      attributes: [.posixPermissions: permissions])
  }

  private func addFile(_ name: String) {
    #expect(FileManager.default.createFile(atPath: "\(home.path)/\(name)", contents: Data()))
  }

  @Test func `A folder is created for its user alone, and an empty one is closed to others`()
    throws
  {
    try makeFolder(0o755)
    _ = try folder(home.path)
    #expect(try permissions(home.path) == 0o700)
    let inner = try folder(home.path + "/a/b")
    #expect(try permissions(inner.path) == 0o700)
  }

  @Test func `A folder of other files is neither closed to other users nor used`() throws {
    try makeFolder(0o755)
    addFile("letter.txt")
    let error = #expect(throws: HostError.self) { try folder(home.path) }
    #expect(error?.description.contains("--home") == true)
    #expect(try permissions(home.path) == 0o755)
    addFile("memos.sqlite")
    _ = try folder(home.path)
    #expect(try permissions(home.path) == 0o700)
  }

  @Test func `A file in place of the folder is an error with the remedy`() throws {
    #expect(FileManager.default.createFile(atPath: home.path, contents: Data()))
    let error = #expect(throws: HostError.self) { try folder(home.path) }
    #expect(error?.description.contains("--home") == true)
  }

  @Test(.enabled(if: geteuid() != 0, "The superuser may write everywhere."))
  func `A folder that may not be written is an error with the remedy`() throws {
    try makeFolder(0o500)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home.path)
    }
    let error = #expect(throws: HostError.self) { try folder(home.path + "/data") }
    #expect(error?.description.contains("--home") == true)
  }

  @Test func `The secret is stored for its user alone, and a short one is replaced`() throws {
    let folder = try folder(home.path)
    let secret = try LaunchSecret.loadOrCreate(in: folder)
    #expect(try LaunchSecret.loadOrCreate(in: folder) == secret)
    let path = folder.path(of: LaunchSecret.fileName)
    #expect(try permissions(path) == 0o600)
    try Data("short".utf8).write(to: URL(filePath: path))
    #expect(try LaunchSecret.loadOrCreate(in: folder).count >= 20)
    #expect(try permissions(path) == 0o600)
  }

  @Test func `The secret of a former version, which was a cookie, is replaced`() throws {
    let folder = try folder(home.path)
    let former = String(repeating: "x", count: 39)
    addFile("launch-token")
    try Data(former.utf8).write(to: URL(filePath: folder.path(of: "launch-token")))
    #expect(try LaunchSecret.loadOrCreate(in: folder) != former)
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "launch-token")))
  }

  @Test func `A secret is read without the line break of an editor`() throws {
    let folder = try folder(home.path)
    let file = SecretFile("secret", in: folder, minimumLength: 5)
    #expect(file.load() == nil)
    try Data("open sesame\n".utf8).write(to: URL(filePath: folder.path(of: "secret")))
    #expect(file.load() == "open sesame")
    try Data("open\n".utf8).write(to: URL(filePath: folder.path(of: "secret")))
    #expect(file.load() == nil)
  }
}
