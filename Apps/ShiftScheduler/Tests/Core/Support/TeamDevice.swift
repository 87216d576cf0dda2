import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import ShiftScheduler

/// A device whose file syncs with a real server.
@MainActor final class TeamDevice {
  nonisolated static let password = "correct horse"

  let store: SyncedStore
  let service: SyncService
  let repository: DatabaseRepository
  private let teams: TeamsClient

  /// The id of the user.
  var id: UUID { service.session.userID }

  /// Opens a file of an account. The first device of a name signs up, others sign in.
  init(
    of name: String, on server: LoopbackServer, schema: StoreSchema = ShiftSchema.current
  ) async throws {
    store = try .temporary(schema: schema)
    let database = ShiftDatabase(store)
    repository = DatabaseRepository(database: database)
    teams = TeamsClient { database }
    service = try await store.sync(with: server.url)
    do {
      try await service.signUp(name: name, password: Self.password)
    } catch AppError.auth(.nameTaken) {
      try await service.signIn(name: name, password: Self.password)
    }
  }

  func perform(_ command: TeamCommand, keepsOverlaps: Bool = false) async throws {
    try await withDependencies {
      $0.calendar = .utc
    } operation: {
      try await teams.perform(command, keepsOverlaps)
    }
  }

  /// Saves an own shift of June, of a type and at a location.
  func saveShift(_ shift: ScheduledShift, _ type: ShiftType = .early) async throws {
    try await repository.saveLocation(.harbor)
    try await repository.saveShiftType(type)
    try await repository.saveShift(shift)
  }

  // MARK: - Waiting

  /// Waits until the shifts of a team in June meet a condition.
  @discardableResult
  func board(
    of team: Team.ID, until isMet: (TeamBoard) -> Bool = { _ in true }
  ) async throws -> TeamBoard {
    for try await board in try values(of: team) where isMet(board) { return board }
    throw CancellationError()
  }

  private func values(of team: Team.ID) throws -> TeamsClient.Values<TeamBoard> {
    try teams.observeBoard(team, CalendarMonth(containing: .june))
  }

  /// Waits until the teams of the user meet a condition.
  @discardableResult
  func list(until isMet: (TeamList) -> Bool = { _ in true }) async throws -> TeamList {
    for try await list in try teams.observeTeams() where isMet(list) { return list }
    throw CancellationError()
  }

  /// Waits until a query returns certain rows.
  func wait<Row: Record & Equatable>(
    for query: Query<Row>, until isMet: ([Row]) -> Bool
  ) async throws {
    for try await rows in store.values(of: query) where isMet(rows) { return }
  }

  /// The codes of the changes that the server has refused.
  func refusals() async throws -> [Rejection.Code] {
    let replica = store.replica
    return try await store.read { try replica.deadLetters($0).map(\.rejection.code) }
  }

  /// The bytes of the file, and of its log.
  func bytes() throws -> Data {
    try ["", "-wal"].reduce(into: Data()) { bytes, suffix in
      let path = store.path + suffix
      guard FileManager.default.fileExists(atPath: path) else { return }
      bytes += try Data(contentsOf: URL(filePath: path))
    }
  }
}

/// A team that ann has made and others have joined, each on a device, and a real server.
@MainActor struct SharedTeam {
  let server: LoopbackServer
  let team = UUID()
  let ann: TeamDevice
  let members: [TeamDevice]

  var ben: TeamDevice { members[0] }
  private var devices: [TeamDevice] { [ann] + members }

  /// - Parameter names: The names of the members besides ann.
  init(_ names: String...) async throws {
    server = try LoopbackServer(try ShiftSchema.current.manifest)
    ann = try await TeamDevice(of: "ann", on: server)
    try await ann.perform(.save(Team(id: team, name: "Harbor crew")))
    let team = team
    try await ann.list { $0.roles[team] == .owner }
    var members: [TeamDevice] = []
    for name in names { members.append(try await TeamDevice(of: name, on: server)) }
    self.members = members
    for member in members { try await admit(member) }
    for device in devices {
      try await device.board(of: team) { $0.members.count == names.count + 1 }
    }
  }

  /// Lets an account into the team, by an invitation.
  func admit(_ device: TeamDevice) async throws {
    let members = MembersModel(try .team(team), ann.service)
    await members.load()
    #expect(await members.invite(as: .editor))
    let joining = JoinModel(device.service)
    joining.code = try #require(members.invitation?.code)
    #expect(await joining.join() != nil)
  }

  /// Publishes a shift of ann's for a member, and waits until all have it.
  @discardableResult
  func publish(
    _ shift: ScheduledShift, _ type: ShiftType = .early, for worker: TeamDevice? = nil
  ) async throws -> PublishedShift {
    try await ann.saveShift(shift, type)
    try await ann.perform(.publish(.shifts([shift.id]), team, worker: worker?.id))
    var found: PublishedShift?
    for device in devices {
      found = try await device.board(of: team) { $0.shifts.contains { $0.shiftID == shift.id } }
        .shifts.first { $0.shiftID == shift.id }
    }
    return try #require(found)
  }

  /// Waits until the swap is in a state on all devices.
  func wait(for swap: Swap.ID, _ state: Swap.State) async throws {
    for device in devices {
      try await device.board(of: team) { $0.swaps.contains { $0.id == swap && $0.state == state } }
    }
  }

  /// Lets a member offer a shift, and another one accept it.
  func agree(
    on shift: PublishedShift, from author: TeamDevice, to taker: TeamDevice
  ) async throws -> Swap.ID {
    let offer = UUID()
    try await author.perform(.offer(offer, shift.id))
    try await wait(for: offer, .offered)
    try await taker.perform(.answer(offer, .accepted))
    try await wait(for: offer, .accepted(by: [taker.id]))
    return offer
  }

  /// Stops the devices and the server.
  func end(_ more: TeamDevice...) async {
    for device in devices + more { await device.service.stop() }
    await server.stop()
  }
}
