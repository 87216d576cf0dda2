import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshoreSync

/// Drivers while the access of their accounts changes.
@Suite(.timeLimit(.minutes(2)))
struct AccessDriverTests {
  private let server: LoopbackServer

  init() async throws { server = try await LoopbackServer.fleet() }

  /// Returns the devices of anna, the owner of a charter with a task, and of ben, an editor.
  private func makeDevices() async throws -> (anna: LoopbackDevice, ben: LoopbackDevice) {
    let anna = try await LoopbackDevice(1, of: server.url)
    let ben = try await LoopbackDevice(2, of: server.url)
    for device in [anna, ben] { await device.driver.start() }
    try await anna.run("INSERT INTO charters VALUES ('c1', 'Alma')", Task.insertion("t1", "Sails"))
    try await ben.waitForTitles(["Sails"])
    return (anna, ben)
  }

  /// Changes the task while no request is answered, and waits until the push of it is under way.
  private func changeBehindGate(_ ben: LoopbackDevice, _ title: String) async throws {
    await ben.wait { $0.isListening && $0.phase == .idle }
    server.gate.close()
    try await ben.run("UPDATE tasks SET title = \(title)")
    await ben.wait { $0.phase == .syncing }
  }

  private func end(_ devices: (anna: LoopbackDevice, ben: LoopbackDevice)) async {
    for device in [devices.anna, devices.ben] { await device.end() }
    await server.stop()
  }

  private func refused(_ device: LoopbackDevice) async throws -> [Rejection.Code] {
    try await device.database.read { [replica = device.replica] in
      try replica.deadLetters($0).map(\.rejection.code)
    }
  }

  private func role(_ device: LoopbackDevice) async throws -> Role? {
    try await device.database.read { [replica = device.replica] in
      try replica.role(in: ScopeID("charter/c1"), $0)
    }
  }

  // MARK: - Roles

  @Test func `A push that waits while its account becomes a reader is refused`() async throws {
    let devices = try await makeDevices()
    try await changeBehindGate(devices.ben, "Lines")
    try await server.grant(.viewer, to: 2)
    server.gate.open()
    await devices.ben.wait { $0.phase == .refused }
    try await devices.ben.waitForTitles(["Sails"])
    #expect(try await refused(devices.ben) == [.forbidden])
    #expect(try await role(devices.ben) == .viewer)
    // The reader still gets the changes of others.
    try await devices.anna.run("UPDATE tasks SET title = 'Ropes'")
    try await devices.ben.waitForTitles(["Ropes"])
    await end(devices)
  }

  @Test func `A push that waits while its account is removed and added again is accepted`()
    async throws
  {
    let devices = try await makeDevices()
    try await changeBehindGate(devices.ben, "Lines")
    try await server.grant(.revoked, to: 2)
    try await server.grant(.editor, to: 2)
    server.gate.open()
    try await devices.anna.waitForTitles(["Lines"])
    try await devices.ben.driver.drain()
    try await devices.ben.waitForTitles(["Lines"])
    #expect(try await refused(devices.ben) == [])
    #expect(try await role(devices.ben) == .editor)
    await end(devices)
  }

  @Test func `A removed account loses the rows, and gets them again when added`() async throws {
    let devices = try await makeDevices()
    try await changeBehindGate(devices.ben, "Lines")
    try await server.grant(.revoked, to: 2)
    server.gate.open()
    try await devices.ben.waitForTitles([])
    await devices.ben.wait { $0.phase == .refused }
    #expect(try await refused(devices.ben) == [.forbidden])
    #expect(try await role(devices.ben) == .revoked)
    try await devices.anna.run("UPDATE tasks SET title = 'Ropes'")
    try await devices.anna.driver.drain()
    try await server.grant(.editor, to: 2)
    try await devices.ben.driver.pullNow()
    try await devices.ben.waitForTitles(["Ropes"])
    try await devices.ben.run("UPDATE tasks SET title = 'Knots'")
    try await devices.anna.waitForTitles(["Knots"])
    await end(devices)
  }
}

// MARK: - Access by rules

/// A group whose members read each other's profiles.
private struct Club: Record {
  let id: UUID
  var name: String
  static let table = Table(
    "clubs", Club.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

private struct Profile: Record {
  let id: UUID
  var name: String
  static let table = Table(
    "profiles", Profile.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

private struct Block: Record {
  let id: UUID
  var ownerID: UUID
  var blockedID: UUID
  static let table = Table(
    "blocks", Block.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("blockedID", \.blockedID))
}

/// A device of a member of clubs.
private final class ClubDevice: Sendable {
  static let schema = StoreSchema(
    migrations: [
      Migration("v1", .create(Club.table), .create(Profile.table), .create(Block.table))
    ],
    sync: try SyncSchema(
      version: 1, SyncTable(Club.self, scope: .kind("club", \.id)),
      SyncTable(Profile.self, scope: .kind("profile", \.id)),
      SyncTable(Block.self, scope: .kind("person", \.ownerID)),
      claimableKinds: ["club"], personalKinds: ["profile", "person"], memberLimits: ["club": 10],
      membershipLimits: ["club": 10],
      accessRules: [.members(of: "club", read: "profile").block(\Block.blockedID)]))

  let store: SyncedStore
  let driver: SyncDriver
  let account: SignedInAccount

  init(_ name: String, _ path: String, of server: LoopbackServer) async throws {
    store = try SyncedStore(path, schema: Self.schema)
    account = try await AccountClient(HTTPTransport(server.url))
      .signUp(name, "correct horse", as: UUID())
    try await store.link(LinkedAccount(id: account.id, name: name), token: account.token)
    driver = SyncDriver(store.database, store.replica, over: HTTPTransport(server.url))
    await driver.setToken(account.token)
    await driver.start()
    let profile = Profile(id: account.id, name: name)
    try await store.write { try profile.insert($0) }
  }

  /// Waits until the only club has a name.
  func waitForClub(_ name: String) async throws {
    let values = store.values { try Club.all.all($0).map(\.name) }
    for try await found in values where found == [name] { return }
  }

  /// Waits until the profiles have these names.
  func waitForProfiles(_ names: [String]) async throws {
    let values = store.values { try Profile.order { $0.name }.all($0).map(\.name) }
    for try await found in values where found == names { return }
  }

  func end() async {
    await driver.stop()
    await store.close()
  }
}

/// Two members of a club, whose devices have each other's profiles.
private struct Members {
  let folder: TemporaryFolder
  let server: LoopbackServer
  let anna: ClubDevice
  let ben: ClubDevice
  let club: ScopeID

  var accounts: AccountClient { AccountClient(HTTPTransport(server.url)) }

  init() async throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer(ClubDevice.schema.manifest)
    anna = try await ClubDevice("anna", folder.file("anna.sqlite"), of: server)
    ben = try await ClubDevice("ben", folder.file("ben.sqlite"), of: server)
    let club = Club(id: UUID(), name: "Sailors")
    self.club = try ScopeID(kind: "club", value: club.id.uuidString)
    try await anna.store.write { try club.insert($0) }
    try await anna.driver.drain()
    let invitation = try await accounts.invite(
      to: self.club, as: .editor, token: anna.account.token)
    _ = try await accounts.accept(invitation.code, token: ben.account.token)
    for device in [anna, ben] { try await device.waitForProfiles(["anna", "ben"]) }
    try await ben.waitForClub("Sailors")
  }

  /// Returns the names of ben's files that contain a text.
  func files(with text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter { name in
      try name.hasPrefix("ben.sqlite")
        && Data(contentsOf: URL(filePath: folder.file(name))).range(of: Data(text.utf8)) != nil
    }
  }

  func end() async {
    for device in [anna, ben] { await device.end() }
    await server.stop()
  }
}

@Suite(.timeLimit(.minutes(2)))
struct BlockDriverTests {
  @Test func `A block by a rule takes the rows away at once, and its end brings them back`()
    async throws
  {
    let members = try await Members()
    let (anna, ben) = (members.anna, members.ben)
    let block = Block(id: UUID(), ownerID: anna.account.id, blockedID: ben.account.id)
    try await anna.store.write { try block.insert($0) }
    try await ben.waitForProfiles(["ben"])
    try await anna.waitForProfiles(["anna"])
    // The blocked member still shares the club, and does not see the block.
    try await ben.store.write { try SQL("UPDATE clubs SET name = 'Rowers'").run($0) }
    try await ben.driver.drain()
    try await anna.waitForClub("Rowers")
    let blocks = try await ben.store.read { try Block.all.count($0) }
    #expect(blocks == 0)
    try await anna.store.write { try block.delete($0) }
    for device in [anna, ben] { try await device.waitForProfiles(["anna", "ben"]) }
    await members.end()
  }

  /// The ways in which ben's access to the profile of anna ends.
  enum End: CaseIterable { case block, removal, leaving }

  @Test(arguments: End.allCases)
  func `After access has ended and the next pull, no file has a byte of the rows`(end: End)
    async throws
  {
    let members = try await Members()
    let (anna, ben, mark) = (members.anna, members.ben, "zqx-profile")
    let profile = Profile(id: anna.account.id, name: mark)
    try await anna.store.write { try profile.update($0) }
    try await ben.waitForProfiles(["ben", mark])
    #expect(try !members.files(with: mark).isEmpty)
    switch end {
    case .block:
      let block = Block(id: UUID(), ownerID: anna.account.id, blockedID: ben.account.id)
      try await anna.store.write { try block.insert($0) }
    case .removal:
      try await members.accounts.remove(
        ben.account.id, from: members.club, token: anna.account.token)
    case .leaving: try await ben.store.leave(members.club, retainingCopy: false)
    }
    try await ben.waitForProfiles(["ben"])
    // A read that runs at the time of a pull leaves the log to the next one.
    for _ in 0..<10 where try !members.files(with: mark).isEmpty {
      try await ben.driver.pullNow()
    }
    #expect(try members.files(with: mark) == [])
    await members.end()
  }

  @Test func `The content of rows that were removed before a start is removed from the log`()
    async throws
  {
    let members = try await Members()
    let (ben, mark) = (members.ben, "zqx-profile")
    await ben.driver.stop()
    // The process has ended between the removal of the rows and that of their content.
    try await ben.store.write { writer in
      try SQL("UPDATE _cursor SET role = 4 WHERE scope = \(members.club.text)").run(writer)
      try Setting.set("content", to: mark, writer)
    }
    try await ben.store.write { try Setting.set("content", to: nil, $0) }
    #expect(try members.files(with: mark).contains("ben.sqlite-wal"))
    let driver = SyncDriver(
      ben.store.database, ben.store.replica, over: HTTPTransport(members.server.url))
    await driver.setToken(ben.account.token)
    await driver.start()
    try await driver.pullNow()
    for _ in 0..<10 where try !members.files(with: mark).isEmpty { try await driver.pullNow() }
    #expect(try members.files(with: mark) == [])
    await driver.stop()
    await members.end()
  }
}
