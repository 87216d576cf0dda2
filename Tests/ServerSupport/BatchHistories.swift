import OffshoreServer
import OffshoreWire

/// The devices of a server's data in memory, with the results and refused ops of their batches.
struct BatchHistories: Hashable {
  /// The history of a device in a scope.
  struct History: Hashable {
    var state = StoredDevice()
    var results: [Int64: StoredResult] = [:]
    var refusals: [Refusal] = []

    /// Returns the numbers of old results before the last ones.
    fileprivate func oldResults(before time: Int64, keeping count: Int64) -> [Int64] {
      results.filter { $0.key <= state.lastNumber - count && $0.value.time <= time }.keys.sorted()
    }
  }

  private var histories: [BatchSender: History] = [:]

  subscript(scope: ScopeID, device: DeviceID) -> History {
    get { histories[BatchSender(scope, device)] ?? History() }
    set { histories[BatchSender(scope, device)] = newValue == History() ? nil : newValue }
  }

  /// Returns the account of a device in any scope.
  func owner(of device: DeviceID) -> AccountID? {
    histories.lazy.compactMap { $0.device == device ? $1.state.account : nil }.first
  }

  /// Returns the devices of a scope with their accounts.
  func devices(in scope: ScopeID) -> [DeviceID: AccountID] {
    histories.reduce(into: [:]) { devices, history in
      if history.key.scope == scope { devices[history.key.device] = history.value.state.account }
    }
  }

  mutating func resetAcknowledgements() {
    for sender in histories.keys { histories[sender]?.state.acknowledged = 0 }
  }

  /// Removes the histories of all devices in a scope, or only the refused ops.
  mutating func remove(_ scope: ScopeID, retainingResults retainsResults: Bool) {
    guard retainsResults else {
      histories = histories.filter { $0.key.scope != scope }
      return
    }
    for sender in histories.keys where sender.scope == scope { histories[sender]?.refusals = [] }
  }

  // MARK: - Old results

  func senders(before time: Int64, keeping count: Int64, limit: Int) -> [BatchSender] {
    let senders = histories.filter { !$1.oldResults(before: time, keeping: count).isEmpty }.keys
    return Array(senders.sorted { ($0.scope, $0.device) < ($1.scope, $1.device) }.prefix(limit))
  }

  mutating func removeResults(
    of sender: BatchSender, before time: Int64, keeping count: Int64, limit: Int
  ) -> Int {
    let old = histories[sender]?.oldResults(before: time, keeping: count).prefix(limit) ?? []
    for number in old { histories[sender]?.results[number] = nil }
    return old.count
  }
}
