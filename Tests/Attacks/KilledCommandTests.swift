import Foundation
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// Commands that end the access of another person, made without a network by a device that is then
  /// killed.
  struct KilledCommandTests {
    enum Command: String, CaseIterable {
      case leave, remove, block, narrow
    }

    @Test(.timeLimit(.minutes(5)), arguments: Command.allCases)
    func `A command of a killed device is obeyed at its next contact`(command: Command) async throws
    {
      let folder = try FaultFolder()
      let manifest = try FaultProcess("fault-device", ["circle-manifest", folder.file("manifest")])
      #expect(await manifest.status() == 0)
      let server = try await AttackedServer(
        Manifest(json: Data(contentsOf: URL(filePath: folder.file("manifest")))))
      let (ida, ben) = (try await server.signUp("ida"), try await server.signUp("ben"))
      let circle = UUID().uuidString
      func start(_ name: String, _ person: AttackedServer.Person) throws -> Asked {
        Asked(
          try FaultProcess(
            "fault-device",
            [
              "join-circle", folder.file("\(name).sqlite"), server.url.absoluteString,
              person.account, person.token, circle,
            ]))
      }
      var own = try start("ida", ida)
      let other = try start("ben", ben)
      for line in ["create", "sync"] { #expect(await own.answer(line) == "done") }
      try await Self.join(circle, of: ida, by: ben, on: server)
      #expect(await own.answer("sync") == "done")
      #expect(await other.answer("sync") == "done")
      #expect(await other.answer("days") == "days 1")

      #expect(await own.answer("\(command.rawValue) \(ben.account)") == "done")
      await own.kill()
      // Without a contact the server knows nothing of it.
      #expect(await other.answer("sync") == "done")
      #expect(await other.answer("days") == "days 1")
      own = try start("ida", ida)
      #expect(await own.answer("sync") == "done", "\(own.errors)")
      #expect(await other.answer("sync") == "done")
      #expect(await other.answer("days") == "days 0")
      for device in [own, other] { await device.kill() }
      try await server.stop()
    }

    /// Makes a person an editor of a circle by an invitation.
    private static func join(
      _ circle: String, of owner: AttackedServer.Person, by person: AttackedServer.Person,
      on server: AttackedServer
    ) async throws {
      var invitation = try Call.json(
        ["role": "editor"], to: "v1/scopes/circle/\(circle)/invitations")
      invitation.token = owner.token
      let made = try await send(invitation, to: server)
      let json = try JSONSerialization.jsonObject(with: Data(made.body)) as? [String: Any]
      let code = try #require(json?["code"] as? String, "\(made.text)")
      var acceptance = try Call.json(["code": code], to: "v1/invitations")
      acceptance.token = person.token
      let accepted = try await send(acceptance, to: server)
      #expect(accepted.status == 200, "\(accepted.text)")
    }

    private static func send(_ call: Call, to server: AttackedServer) async throws -> CallAnswer {
      try await Threads.run { [port = server.port] in try call.send(to: port) }
    }
  }
}

/// A process that answers each line of its input by a line.
private final class Asked {
  private let process: FaultProcess
  private var count = 0

  init(_ process: FaultProcess) { self.process = process }

  var errors: String { process.errors }

  /// Sends a line, and returns the answer, or `nil` if the process has ended.
  func answer(_ line: String) async -> String? {
    process.send(line)
    count += 1
    let lines = await process.lines(count)
    return lines.count == count ? lines.last : nil
  }

  func kill() async {
    process.kill()
    _ = await process.status()
  }
}
