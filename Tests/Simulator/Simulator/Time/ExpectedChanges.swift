import OffshoreServer
import OffshoreWire
import ServerSupport

/// The changes that devices do not show yet, and the history of each row on the server.
struct ExpectedChanges {
  /// A change of a list that a device must show.
  struct Change {
    let device: Int
    let list: String
    /// The time when the server applied it.
    let start: Int64
    let content: Content
  }

  enum Content {
    /// The account's role, from the grant with a number.
    case role(Role, seq: Int64)
    /// The titles of rows, by their place in the row's history. Later titles are accepted as well.
    case titles([String: Int])
  }

  private var pending: [Int: Change] = [:]
  private var last = 0
  /// The titles that each row has had on the server, oldest first.
  private var history: [String: [String]] = [:]

  /// Adds a row's title on the server to the row's history.
  /// - Returns: The title's place in the history.
  mutating func note(_ title: String, of row: String) -> Int {
    if history[row]?.last != title { history[row, default: []].append(title) }
    return (history[row]?.count ?? 1) - 1
  }

  /// Adds an expected change.
  /// - Returns: The number of the change.
  mutating func add(_ change: Change) -> Int {
    last += 1
    pending[last] = change
    return last
  }

  mutating func removeAll() { pending = [:] }

  /// The change with a number, if it is still expected.
  subscript(number: Int) -> Change? { pending[number] }

  /// Removes the changes that a device shows, and returns them.
  mutating func remove(shownBy device: Int, in view: DeviceView) -> [Change] {
    let shown = pending.filter { $0.value.device == device && isShown($0.value, in: view) }
    for number in shown.keys { pending[number] = nil }
    return Array(shown.values)
  }

  private func isShown(_ change: Change, in view: DeviceView) -> Bool {
    switch change.content {
    case .role(let role, _):
      view.roles[change.list] == role && (role != .revoked || view.lists[change.list] == nil)
    case .titles(let titles):
      titles.allSatisfy { row, place in
        guard let title = view.lists[change.list]?[row] else { return false }
        // A title that the server does not know is the device's own edit.
        return (history[row] ?? []).firstIndex(of: title).map { $0 >= place } ?? true
      }
    }
  }
}

extension ExpectedChanges.Change {
  /// Whether a later grant has replaced the change.
  func isObsolete(for account: AccountID, in state: MemoryState) throws -> Bool {
    let scope = try ScopeID(kind: ListApp.kind, value: list)
    let grant = state.grant(of: account, in: scope)
    return switch content {
    case .role(_, let seq): grant?.seq != seq
    case .titles: grant?.role.canRead != true
    }
  }
}

extension ExpectedChanges.Change: CustomStringConvertible {
  var description: String {
    switch content {
    case .role(let role, _): "the role \(role) in \(list)"
    case .titles(let titles): "\(titles.keys.sorted().joined(separator: ", ")) of \(list)"
    }
  }
}
