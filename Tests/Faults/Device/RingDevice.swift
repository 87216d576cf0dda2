import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A group, which is its own scope.
struct Group: Record, Identifiable {
  let id: UUID

  static let table = Table("groups", Group.init, Column("id", \.id).primaryKey())
}

/// A day in the week of a person, which the members of a group may read.
struct Day: Record, Identifiable {
  let id: UUID
  let ownerID: UUID

  static let table = Table(
    "days", Day.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID))
}

/// The choice of what the members of a group read of a person.
struct Sharing: Record, Identifiable {
  let id: UUID
  let ownerID: UUID
  let groupID: UUID
  var shows: String?

  static let table = Table(
    "sharings", Sharing.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("groupID", \.groupID), Column("shows", \.shows))
}

/// The exclusion of an account by a person.
struct Block: Record, Identifiable {
  let id: UUID
  let ownerID: UUID
  let blockedID: UUID

  static let table = Table(
    "blocks", Block.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("blockedID", \.blockedID))
}

/// The device of a person in a group whose members read each other's days.
///
/// It prints `day OWNER` when days of an account arrive, and `gone OWNER` when they disappear. It
/// performs the commands of its input, and prints `done` after each:
///
///     found           creates the group
///     leave           leaves the group
///     remove ACCOUNT  removes a member from the group
///     block ACCOUNT   blocks an account
///     narrow          lets the group read nothing
struct RingDevice {
  private let store: SyncedStore
  private let driver: SyncDriver
  private let account: UUID
  private let group: UUID

  static let schema = StoreSchema(
    migrations: [
      Migration(
        "v1", .create(Group.table), .create(Day.table), .create(Sharing.table),
        .create(Block.table))
    ],
    sync: try SyncSchema(
      version: 1, SyncTable(Group.self, scope: .kind("group", \.id)),
      SyncTable(Day.self, scope: .kind("week", \.ownerID)),
      SyncTable(Sharing.self, scope: .kind("person", \.ownerID)),
      SyncTable(Block.self, scope: .kind("person", \.ownerID)),
      claimableKinds: ["group"], personalKinds: ["week", "person"],
      memberLimits: ["group": 30], membershipLimits: ["group": 12],
      accessRules: [
        .members(of: "group", read: "week")
          .choice(\Sharing.groupID, \.shows, ["week"]).block(\Block.blockedID)
      ]))

  /// - Parameter arguments: the file, the address of the server, the account, its token, and the group.
  init?(_ arguments: ArraySlice<String>) async throws {
    let arguments = Array(arguments)
    guard arguments.count == 5, let server = URL(string: arguments[1]),
      let account = UUID(uuidString: arguments[2]), let group = UUID(uuidString: arguments[4])
    else { return nil }
    (self.account, self.group) = (account, group)
    store = try SyncedStore(arguments[0], schema: Self.schema)
    try await store.link(LinkedAccount(id: account, name: "a"), token: arguments[3])
    var timing = SyncEngine.Timing()
    (timing.firstDelay, timing.longestDelay) = (20, 200)
    driver = SyncDriver(
      store.database, store.replica, over: HTTPTransport(server), timing: timing)
    await driver.setToken(arguments[3])
  }

  /// Performs the commands of lines until their end.
  func run(_ lines: AsyncStream<String>) async throws {
    try await shareDay()
    await driver.start()
    let printing = Task { try await printDays() }
    for await line in lines {
      try await perform(line)
      Ledger.tell("done\n")
    }
    printing.cancel()
    await driver.stop()
    await store.close()
  }

  /// Creates a day, and shares it with the group, at the first start.
  private func shareDay() async throws {
    try await store.write { [account, group] writer in
      guard try Day.all.count(writer) == 0 else { return }
      try Day(id: UUID(), ownerID: account).insert(writer)
      try Sharing(id: UUID(), ownerID: account, groupID: group, shows: "week").insert(writer)
    }
  }

  private func printDays() async throws {
    var known: Set<UUID> = []
    for try await owners in store.values({ try Set(Day.all.all($0).map(\.ownerID)) }) {
      for owner in owners.subtracting(known) { Ledger.tell("day \(owner)\n") }
      for owner in known.subtracting(owners) { Ledger.tell("gone \(owner)\n") }
      known = owners
    }
  }

  private func perform(_ line: String) async throws {
    let words = line.split(separator: " ").map(String.init)
    let other = words.last.flatMap { UUID(uuidString: $0) }
    let scope = try ScopeID(kind: "group", value: group.uuidString)
    switch (words.first ?? "", other) {
    case ("found", _):
      try await store.write { [group] writer in try Group(id: group).insert(writer) }
      try await driver.drain()
    case ("leave", _): try await store.leave(scope, retainingCopy: false)
    case ("remove", let member?):
      let lists = store.values { [store] in try store.members(of: scope, $0).map(\.id) }
      for try await members in lists where members.contains(member) { break }
      try await store.removeMember(member, from: scope)
    case ("block", let blocked?):
      try await store.write { [account] writer in
        try Block(id: UUID(), ownerID: account, blockedID: blocked).insert(writer)
      }
    case ("narrow", _):
      try await store.write { writer in _ = try Sharing.all.update(writer) { [$0.shows.set(nil)] } }
    default: Ledger.tell("unknown: \(line)\n")
    }
  }
}
