import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A circle of people whose members read each other's days, as each chooses.
struct Circle: Record, Identifiable {
  let id: UUID

  static let table = Table("circles", Circle.init, Column("id", \.id).primaryKey())
}

/// A day of a person.
struct Day: Record, Identifiable {
  let id: UUID
  let ownerID: UUID

  static let table = Table(
    "days", Day.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID))
}

/// The choice of a person that a circle sees the days.
struct Sharing: Record, Identifiable {
  let id: UUID
  let ownerID: UUID
  let circleID: UUID
  let shows: String

  static let table = Table(
    "sharings", Sharing.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("circleID", \.circleID), Column("shows", \.shows))
}

/// The block of a person by another one.
struct Block: Record, Identifiable {
  let id: UUID
  let ownerID: UUID
  let blockedID: UUID

  static let table = Table(
    "blocks", Block.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("blockedID", \.blockedID))
}

/// A device of a person in a circle, which syncs only by a command.
///
/// It performs the commands of its standard input, one a line, and prints a line after each:
///
///     create            makes the circle, a day, and the choice that the circle sees it
///     sync              sends all changes, and pulls
///     days              prints the number of days of other people
///     leave, narrow     leaves the circle, or deletes the choice
///     remove ACCOUNT    removes a member of the circle
///     block ACCOUNT     blocks a person
struct CircleDevice {
  private let store: SyncedStore
  private let driver: SyncDriver
  private let account: UUID
  private let circle: UUID

  /// - Parameter arguments: the file, the address of the server, the account, its token, and the circle.
  init?(_ arguments: ArraySlice<String>) async throws {
    let arguments = Array(arguments)
    guard arguments.count == 5, let server = URL(string: arguments[1]),
      let account = UUID(uuidString: arguments[2]), let circle = UUID(uuidString: arguments[4])
    else { return nil }
    store = try SyncedStore(arguments[0], schema: Self.schema)
    try await store.link(LinkedAccount(id: account, name: "person"), token: arguments[3])
    driver = SyncDriver(store.database, store.replica, over: HTTPTransport(server))
    await driver.setToken(arguments[3])
    (self.account, self.circle) = (account, circle)
  }

  static let schema = StoreSchema(
    migrations: [
      Migration(
        "v1", .create(Circle.table), .create(Day.table), .create(Sharing.table),
        .create(Block.table))
    ],
    sync: try SyncSchema(
      version: 1, SyncTable(Circle.self, scope: .kind("circle", \.id)),
      SyncTable(Day.self, scope: .kind("week", \.ownerID)),
      SyncTable(Sharing.self, scope: .kind("person", \.ownerID)),
      SyncTable(Block.self, scope: .kind("person", \.ownerID)), claimableKinds: ["circle"],
      personalKinds: ["person", "week"], memberLimits: ["circle": 30],
      membershipLimits: ["circle": 12],
      accessRules: [
        .members(of: "circle", read: "week")
          .choice(\Sharing.circleID, \.shows, ["week"]).block(\Block.blockedID)
      ]))

  /// Performs the command of a line, and prints the answer.
  func run(_ line: String) async throws {
    let words = line.split(separator: " ").map(String.init)
    let answer = try await answer(words.first ?? "", words.last.flatMap { UUID(uuidString: $0) })
    FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
  }

  private func answer(_ command: String, _ other: UUID?) async throws -> String {
    let scope = try ScopeID(kind: "circle", value: circle.uuidString)
    switch (command, other) {
    case ("create", _): try await create()
    case ("sync", _): try await sync()
    case ("days", _): return "days \(try await dayCount())"
    case ("leave", _): try await store.leave(scope, retainingCopy: false)
    case ("narrow", _):
      try await store.write { [account] writer in
        try Sharing.where { $0.ownerID == account }.delete(writer)
      }
    case ("remove", let other?): try await store.removeMember(other, from: scope)
    case ("block", let other?):
      try await store.write { [account] writer in
        try Block(id: UUID(), ownerID: account, blockedID: other).insert(writer)
      }
    default: return "unknown"
    }
    return "done"
  }

  private func create() async throws {
    try await store.write { [account, circle] writer in
      try Circle(id: circle).insert(writer)
      try Day(id: UUID(), ownerID: account).insert(writer)
      try Sharing(id: UUID(), ownerID: account, circleID: circle, shows: "week").insert(writer)
    }
  }

  private func sync() async throws {
    await driver.start()
    try await driver.drain()
    try await driver.pullNow()
    await driver.stop()
  }

  private func dayCount() async throws -> Int {
    try await store.read { [account] in try Day.where { $0.ownerID != account }.count($0) }
  }
}
