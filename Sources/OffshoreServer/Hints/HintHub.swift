import OffshoreHTTP
import OffshoreWire
import Synchronization

/// The open event streams of a server, which notify devices of changed scopes.
///
/// Correctness never depends on hints: a device that misses one finds the changes with its next
/// pull.
package final class HintHub: Sendable {
  private struct Stream: Sendable {
    let channel: EventChannel
    let account: AccountID
    var scopes: Set<ScopeID>
    /// The number of the last grant applied to the stream, by scope.
    var applied: [ScopeID: Int64] = [:]
  }

  private struct State: Sendable {
    var streams: [Int: Stream] = [:]
    var listeners: [ScopeID: Set<Int>] = [:]
    var accounts: [AccountID: Set<Int>] = [:]
    var last = 0
    var isClosed = false

    /// Subscribes a stream to the scope of a grant if its role can read, and unsubscribes it
    /// otherwise.
    /// - Returns: whether the grant is newer than the last one applied to the stream in this scope.
    mutating func apply(_ grant: Grant, to key: Int) -> Bool {
      guard let known = streams[key]?.applied[grant.scope, default: 0], grant.seq > known else {
        return false
      }
      streams[key]?.applied[grant.scope] = grant.seq
      if grant.role.canRead {
        streams[key]?.scopes.insert(grant.scope)
        listeners[grant.scope, default: []].insert(key)
      } else {
        streams[key]?.scopes.remove(grant.scope)
        forget(key, of: grant.scope)
      }
      return true
    }

    mutating func forget(_ key: Int, of scope: ScopeID) {
      listeners[scope]?.remove(key)
      if listeners[scope]?.isEmpty == true { listeners[scope] = nil }
    }
  }

  private let state = Mutex(State())

  /// The largest number of open streams of an account. One more closes the oldest.
  package static let streamsPerAccount = 64

  /// Creates a hub without streams.
  package init() {}

  /// The number of open streams.
  var count: Int { state.withLock { $0.streams.count } }

  /// Opens an event stream of hints about changes of the given scopes.
  ///
  /// It stays open when the account's grants change; see ``apply(_:of:)``. If the hub is closed, so
  /// is the stream.
  /// - Parameter lifetime: the longest time that the stream may last, for example until a token
  ///   expires.
  func listen(
    _ account: AccountID, to scopes: [ScopeID], lifetime: Duration? = nil
  ) -> EventChannel {
    let channel = EventChannel(capacity: 1 << 16, lifetime: lifetime)
    let (key, oldest) = state.withLock { state -> (Int?, EventChannel?) in
      guard !state.isClosed else { return (nil, nil) }
      state.last += 1
      state.streams[state.last] = Stream(
        channel: channel, account: account, scopes: Set(scopes))
      for scope in scopes { state.listeners[scope, default: []].insert(state.last) }
      state.accounts[account, default: []].insert(state.last)
      let open = state.accounts[account] ?? []
      let oldest = open.count > Self.streamsPerAccount ? open.min() : nil
      return (state.last, oldest.flatMap { state.streams[$0]?.channel })
    }
    oldest?.close()
    guard let key else {
      channel.close()
      return channel
    }
    channel.onClose { [weak self] in self?.remove(key) }
    return channel
  }

  /// Sends each hint on the streams that follow its scope.
  func send(_ hints: [Hint]) {
    for hint in hints {
      let event = ServerSentEvent(event: "hint", data: hint.text)
      // Outside of the lock, because a stream that is full closes and calls back.
      for channel in channels(of: hint.scope) { channel.send(event) }
    }
  }

  /// Applies a changed grant to the account's open streams, and sends a hint about its scope on
  /// each of them.
  ///
  /// The streams follow the scope from now on if the account may read it, and no longer if not. The
  /// hint has the largest head, which no device has reached, so that each device pulls the grant.
  /// Of two grants in one scope the one with the larger number counts, in whichever order they
  /// arrive.
  func apply(_ grant: Grant, of account: AccountID) {
    let channels = state.withLock { state in
      (state.accounts[account] ?? []).compactMap { key -> EventChannel? in
        guard state.apply(grant, to: key) else { return nil }
        return state.streams[key]?.channel
      }
    }
    let hint = Hint(grant.scope, head: WireLimits.number)
    // Outside of the lock, because a stream that is full closes and calls back.
    for channel in channels { channel.send(ServerSentEvent(event: "hint", data: hint.text)) }
  }

  /// Sends a hint about a scope whose members have changed, on the streams of its other members.
  ///
  /// The hint has the largest head, as for a changed grant.
  /// - Parameter account: the account whose grant has changed. It is notified by ``apply(_:of:)``.
  func announceMembers(of scope: ScopeID, besides account: AccountID) {
    let channels = state.withLock { state in
      (state.listeners[scope] ?? []).compactMap { key -> EventChannel? in
        guard let stream = state.streams[key], stream.account != account else { return nil }
        return stream.channel
      }
    }
    let hint = Hint(scope, head: WireLimits.number)
    // Outside of the lock, because a stream that is full closes and calls back.
    for channel in channels { channel.send(ServerSentEvent(event: "hint", data: hint.text)) }
  }

  /// Sends hints about a changed membership: about the grant to its account, and about the members
  /// to the others.
  func announce(_ grant: Grant, of account: AccountID) {
    apply(grant, of: account)
    announceMembers(of: grant.scope, besides: account)
  }

  /// Closes the streams of an account whose tokens have changed.
  package func closeStreams(of account: AccountID) {
    let channels = state.withLock { state in
      (state.accounts[account] ?? []).compactMap { state.streams[$0]?.channel }
    }
    for channel in channels { channel.close() }
  }

  /// Closes all streams, including those that are opened later.
  func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      return state.streams.values.map(\.channel)
    }
    for channel in channels { channel.close() }
  }

  private func channels(of scope: ScopeID) -> [EventChannel] {
    state.withLock { state in
      (state.listeners[scope] ?? []).compactMap { state.streams[$0]?.channel }
    }
  }

  private func remove(_ key: Int) {
    state.withLock { state in
      guard let stream = state.streams.removeValue(forKey: key) else { return }
      for scope in stream.scopes { state.forget(key, of: scope) }
      state.accounts[stream.account]?.remove(key)
      if state.accounts[stream.account]?.isEmpty == true { state.accounts[stream.account] = nil }
    }
  }
}
