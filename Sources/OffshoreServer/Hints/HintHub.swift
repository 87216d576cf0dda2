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
    let scopes: [ScopeID]
  }

  private struct State: Sendable {
    var streams: [Int: Stream] = [:]
    var listeners: [ScopeID: Set<Int>] = [:]
    var accounts: [AccountID: Set<Int>] = [:]
    var last = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// How many streams of one account may be open; beyond, the oldest ends.
  public static let streamsPerAccount = 64

  /// Begins without listeners.
  public init() {}

  /// How many listen.
  public var count: Int { state.withLock { $0.streams.count } }

  /// A stream of the changes of an account's scopes.
  ///
  /// It ends when what the account may read has changed: whoever listens pulls, and asks anew.
  /// - Parameter lifetime: how long it may last, for example until a token ends.
  public func listen(
    _ account: AccountID, to scopes: [ScopeID], lifetime: Duration? = nil
  ) -> EventChannel {
    let channel = EventChannel(capacity: 1 << 16, lifetime: lifetime)
    let (key, oldest) = state.withLock { state -> (Int?, EventChannel?) in
      guard !state.isClosed else { return (nil, nil) }
      state.last += 1
      state.streams[state.last] = Stream(channel: channel, account: account, scopes: scopes)
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

  /// Ends the streams of an account whose grants or tokens have changed.
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
      for scope in stream.scopes {
        state.listeners[scope]?.remove(key)
        if state.listeners[scope]?.isEmpty == true { state.listeners[scope] = nil }
      }
      state.accounts[stream.account]?.remove(key)
      if state.accounts[stream.account]?.isEmpty == true { state.accounts[stream.account] = nil }
    }
  }
}
