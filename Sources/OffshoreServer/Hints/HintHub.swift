public import OffshoreHTTP
public import OffshoreWire
import Synchronization

/// Tells the devices that listen which scopes have changed.
///
/// Nothing depends on it: a device that misses a hint finds the changes with its next pull.
public final class HintHub: Sendable {
  private struct Stream: Sendable {
    let channel: EventChannel
    let account: AccountID
    var scopes: Set<ScopeID>
    /// The number of the latest grant of each scope whose grant has changed since the stream began.
    var applied: [ScopeID: Int64] = [:]
  }

  private struct State: Sendable {
    var streams: [Int: Stream] = [:]
    var listeners: [ScopeID: Set<Int>] = [:]
    var accounts: [AccountID: Set<Int>] = [:]
    var last = 0
    var isClosed = false

    /// Has a stream follow a scope or not, as its account may.
    /// - Returns: whether the grant is newer than what the stream knows of the scope.
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

  /// How many streams of one account may be open; beyond, the oldest ends.
  public static let streamsPerAccount = 64

  /// Begins without listeners.
  public init() {}

  /// How many listen.
  public var count: Int { state.withLock { $0.streams.count } }

  /// Opens a stream of the changes of an account's scopes.
  ///
  /// It stays open when the account's grants change; see ``apply(_:of:)``.
  /// - Parameter lifetime: The longest time that it may last, for example until a token expires.
  public func listen(
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

  /// Tells of changes.
  public func send(_ hints: [Hint]) {
    for hint in hints {
      let event = ServerSentEvent(event: "hint", data: hint.text)
      // Outside of the lock, because a stream that is full closes and calls back.
      for channel in channels(of: hint.scope) { channel.send(event) }
    }
  }

  /// Applies a changed grant to the account's open streams, and hints at its scope on each of them.
  ///
  /// A scope that the account may read is followed from now on, another one no longer. The hint has the
  /// largest head, which no device has reached, so that each of them pulls and finds the grant. Of two
  /// grants of one scope the one with the larger number counts, in whichever order they come.
  public func apply(_ grant: Grant, of account: AccountID) {
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

  /// Hints at a scope whose members have changed, on the streams of its other members.
  ///
  /// The hint has the largest head, as that of a changed grant.
  /// - Parameter account: the account whose grant has changed, which ``apply(_:of:)`` hints at.
  public func announceMembers(of scope: ScopeID, besides account: AccountID) {
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

  /// Ends the streams of an account whose tokens have changed.
  public func end(_ account: AccountID) {
    let channels = state.withLock { state in
      (state.accounts[account] ?? []).compactMap { state.streams[$0]?.channel }
    }
    for channel in channels { channel.close() }
  }

  /// Ends all streams, and those that are asked for from then on.
  public func close() {
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
