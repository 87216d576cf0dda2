import Foundation
import TestSupport
import Testing

@testable import OffshoreHost

/// The commands of the program other than that of a dock.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PhoneCommandTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "offshore-dock-\(UUID().uuidString)").path(percentEncoded: false)

  @Test func `A phone is started by a dock alone, and the manifest of each app is printed`()
    async throws
  {
    let alone = try FaultProcess("offshore-apps", ["phone", "--home", home])
    #expect(await alone.status() == 1, "it does not wait for a message")
    #expect(alone.errors.contains("A phone is started by a dock. Run offshore-apps dock."))
    let phone = try FaultProcess("offshore-apps", ["phone", "--home", home, "--of-dock"])
    phone.send("nonsense")
    phone.endInput()
    #expect(await phone.status() == 1)
    #expect(phone.errors.contains("A phone is started by a dock. Run offshore-apps dock."))
    for app in ["anyfleet", "messai"] {
      let manifest = try FaultProcess("offshore-apps", ["manifest", app])
      #expect(await manifest.status() == 0)
      #expect(await manifest.lines(0).contains { $0.contains("claimableKinds") })
    }
    let unnamed = try FaultProcess("offshore-apps", ["manifest"])
    #expect(await unnamed.status() == 1)
    #expect(unnamed.errors.contains("Name one of anyfleet, messai, shiftscheduler."))
    try? FileManager.default.removeItem(atPath: home)
  }

  @Test func `A phone that cannot sign in works, and says why`() async throws {
    let phone = try FaultProcess("offshore-apps", ["phone", "--home", home, "--of-dock"])
    let settings = PhoneSettings(
      port: 0, server: try #require(URL(string: "http://127.0.0.1:1")),
      dock: "http://127.0.0.1:2", account: "skipper", password: "none yet", createsSample: true)
    phone.send(try settings.startLine())
    let lines = await phone.lines { $0.contains { $0.contains("problem") } }
    #expect(lines.contains { $0.contains("There is no connection.") })
    phone.endInput()
    #expect(await phone.status() == 0)
    #expect(phone.errors.contains("There is no connection."))
    try? FileManager.default.removeItem(atPath: home)
  }
}

extension PhoneSettings {
  /// The line by which a dock starts a phone.
  func startLine() throws -> String {
    String(decoding: try MessageLines.encoded(DockMessage.start(self)).dropLast(), as: UTF8.self)
  }
}
