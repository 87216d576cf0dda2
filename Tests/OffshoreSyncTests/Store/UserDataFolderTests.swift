import Foundation
import Offshore
import TestSupport
import Testing

@testable import OffshoreSync

struct UserDataFolderTests {
  @Test func `The folder lies where the system says, or in the default place`() {
    let set = UserDataFolder(
      of: "messages", environment: ["XDG_DATA_HOME": "/data"], home: "/home/ada")
    #expect(set.path == "/data/messages")
    for environment in [[:], ["XDG_DATA_HOME": ""], ["XDG_DATA_HOME": "relative"]] {
      let folder = UserDataFolder(of: "messages", environment: environment, home: "/home/ada")
      #expect(folder.path == "/home/ada/.local/share/messages")
    }
  }

  @Test func `The folder is created for its user only`() throws {
    let home = try TemporaryFolder()
    let folder = UserDataFolder(of: "messages", environment: [:], home: home.path)
    #expect(try folder.makePath(of: "a.sqlite") == "\(folder.path)/a.sqlite")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `A folder that cannot be created is an error`() throws {
    let home = try TemporaryFolder()
    try Data().write(to: URL(filePath: home.file(".local")))
    #expect(throws: DatabaseError.self) {
      try UserDataFolder(of: "messages", environment: [:], home: home.path).makePath(of: "a")
    }
  }
}
