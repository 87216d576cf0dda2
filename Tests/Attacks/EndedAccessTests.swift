import Foundation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// Members of a group who read each other's days, until one of them ends that.
  ///
  /// The server and each device are processes. In a soak they are optimized.
  struct EndedAccessTests {
    /// The ways in which access ends.
    enum Cause: String, CaseIterable {
      /// The person leaves the group.
      case leave
      /// The owner of the group removes a person, who then reads nothing of the owner.
      case remove
      /// The person blocks the other.
      case block
      /// The person lets the group read nothing any more.
      case narrow

      /// Returns the command for a device.
      func command(about other: String) -> String {
        switch self {
        case .leave, .narrow: rawValue
        case .remove, .block: "\(rawValue) \(other)"
        }
      }
    }

    /// A person with a device.
    private struct Person {
      let name: String
      let account: AttackedServer.Person
      let device: FaultProcess

      var id: String { account.account }
      var day: String { "day \(id)" }
      var gone: String { "gone \(id)" }

      /// Stops the device.
      func end() async {
        device.endInput()
        #expect(await device.status() == 0, "\(device.errors)")
      }
    }

    private static let count = isSoak ? 9 : 3
    private static let limit = isSoak ? Duration.milliseconds(200) : .seconds(1)

    private let folder: FaultFolder
    private let group = UUID().uuidString

    init() throws { folder = try FaultFolder() }

    @Test(.timeLimit(.minutes(5)), arguments: Cause.allCases)
    func `Rows disappear from another person's device within 200 ms after access ends`(
      cause: Cause
    ) async throws {
      let server = try await AttackedServer(manifest())
      let ida = try await found(server)
      var durations: [Duration] = []
      for number in 1...Self.count {
        let ben = try await join("ben-\(number)", ida, server)
        let (source, reader) = cause == .remove ? (ida, ben) : (ben, ida)
        let (gone, start) = (source.gone, ContinuousClock.now)
        source.device.send(cause.command(about: reader.id))
        let lines = await reader.device.lines { $0.contains(gone) }
        durations.append(start.duration(to: .now))
        #expect(lines.contains(gone), "\(reader.device.errors)")
        await ben.end()
      }
      print("\(cause): gone after \(durations.median), at most \(durations.most)")
      #expect(durations.median < Self.limit)
      await ida.end()
      try await server.stop()
    }

    @Test(.timeLimit(.minutes(5)), arguments: Cause.allCases)
    func `Access that a device ends offline before it is killed has ended after the next contact`(
      cause: Cause
    ) async throws {
      let server = try await AttackedServer(manifest())
      let ida = try await found(server)
      let ben = try await join("ben", ida, server)
      let (source, reader) = cause == .remove ? (ida, ben) : (ben, ida)
      let gone = source.gone
      await source.end()
      let offline = try device(source.name, source.account, at: "http://127.0.0.1:9")
      offline.send(cause.command(about: reader.id))
      let answers = await offline.lines { $0.contains("done") }
      #expect(answers.contains("done"), "\(offline.errors)")
      offline.kill()
      _ = await offline.status()
      #expect(await !reader.device.lines(0).contains(gone))
      let again = try device(source.name, source.account, at: server.url.absoluteString)
      let lines = await reader.device.lines { $0.contains(gone) }
      #expect(lines.contains(gone), "\(reader.device.errors)")
      again.endInput()
      #expect(await again.status() == 0, "\(again.errors)")
      await reader.end()
      try await server.stop()
    }

    // MARK: - People

    private func manifest() async throws -> Manifest {
      let process = try FaultProcess("fault-device", ["ring-manifest", folder.file("manifest")])
      #expect(await process.status() == 0)
      return try Manifest(json: Data(contentsOf: URL(filePath: folder.file("manifest"))))
    }

    private func device(
      _ name: String, _ account: AttackedServer.Person, at address: String
    ) throws -> FaultProcess {
      try FaultProcess(
        "fault-device",
        ["ring", folder.file("\(name).sqlite"), address, account.account, account.token, group])
    }

    /// Signs up the owner of the group, and creates it.
    private func found(_ server: AttackedServer) async throws -> Person {
      let account = try await server.signUp("ida")
      let device = try device("ida", account, at: server.url.absoluteString)
      device.send("found")
      await device.lines { $0.contains("done") }
      return Person(name: "ida", account: account, device: device)
    }

    /// Signs up a member of the group, and waits until the owner and the member have each other's days.
    private func join(
      _ name: String, _ owner: Person, _ server: AttackedServer
    ) async throws -> Person {
      let account = try await server.signUp(name)
      let accounts = AccountClient(HTTPTransport(server.url))
      let scope = try ScopeID(kind: "group", value: group)
      let invitation = try await accounts.invite(to: scope, as: .editor, token: owner.account.token)
      _ = try await accounts.accept(invitation.code, token: account.token)
      let device = try device(name, account, at: server.url.absoluteString)
      let member = Person(name: name, account: account, device: device)
      let (first, second) = (owner.day, member.day)
      await device.lines { $0.contains(first) }
      await owner.device.lines { $0.contains(second) }
      return member
    }
  }
}
