import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire

/// A device in virtual time: a file with the product's replica.
final class TimedDevice {
  /// The device's place among the schedule's devices.
  let place: Int
  let account: AccountID
  let token: Secret
  /// Whether the system reports when the network is lost and restored.
  let hasMonitor: Bool
  let connection: Connection
  let replica: Replica
  /// The number of titles and ids that the user has created.
  private var made = 0

  init(
    _ place: Int, _ account: AccountID, token: Secret, hasMonitor: Bool, file: String,
    id: DeviceID
  ) throws {
    self.place = place
    self.account = account
    self.token = token
    self.hasMonitor = hasMonitor
    replica = try ListApp.shared.get().replica
    connection = try DeviceFiles.open(file)
    try connection.write { writer in
      try replica.outbox.install(writer, device: id)
      try DeviceFiles.rename(writer, to: id)
    }
  }

  deinit { connection.close() }

  var name: String { "d\(place)" }

  /// Returns a title that no row has had.
  func title() -> String {
    made += 1
    return Text.make(place, made)
  }

  /// Returns an id that no row has.
  func id(_ prefix: String) -> String {
    made += 1
    return "\(prefix)\(place).\(made)"
  }

  func view() throws -> DeviceView {
    try connection.read { reader in
      let rows = try SQL(
        "SELECT id, id, title FROM lists UNION ALL SELECT id, listID, title FROM items"
      ).all(reader, as: String.self, String.self, String.self)
      var view = DeviceView()
      for (id, list, title) in rows { view.lists[list, default: [:]][id] = title }
      for (scope, role) in try replica.roles(inScopesOf: ListApp.kind, reader) {
        view.roles[scope.value] = role
      }
      return view
    }
  }
}

/// The rows that a device shows, and the roles that it knows.
struct DeviceView: Equatable {
  /// The titles of rows, by list and id.
  var lists: [String: [String: String]] = [:]
  /// The account's roles, by list.
  var roles: [String: Role] = [:]

  /// The lists that the user may write, including lists that the server does not know yet.
  var writable: [String] { lists.keys.filter { roles[$0]?.canWrite ?? true }.sorted() }
}
