import OffshoreHTTP
import OffshoreWire
import Synchronization

/// The open event streams of a server, which notify devices of changed scopes.
///
/// Correctness never depends on hints: a device that misses one finds the changes with its next
/// pull.
package final class HintHub: Sendable {
  /// An open stream, and the access token that authenticated it.
  private struct Stream: Sendable {
    let channel: EventChannel
    let token: ContentHash
  }

  /// An account with open streams.
  private struct Listener: Sendable {
    var streams: [Int: Stream] = [:]
    /// The number of the last grant in each scope.
    var grants: [ScopeID: Int64] = [:]
  }

  private struct State: Sendable {
    var listeners: [AccountID: Listener] = [:]
    /// The accounts with open streams that may read a scope.
    var readers: [ScopeID: Set<AccountID>] = [:]
    var last = 0
    var isClosed = false

    /// Records a grant of an account with open streams.
    /// - Returns: whether the grant is newer than the last one in its scope.
    mutating func apply(_ grant: Grant, of account: AccountID) -> Bool {
      guard let known = listeners[account]?.grants[grant.scope, default: 0], grant.seq > known
      else { return false }
      listeners[account]?.grants[grant.scope] = grant.seq
      if grant.role.canRead {
        readers[grant.scope, default: []].insert(account)
      } else {
        remove(account, from: grant.scope)
      }
      return true
    }

    private mutating func remove(_ account: AccountID, from scope: ScopeID) {
      readers[scope]?.remove(account)
      if readers[scope]?.isEmpty == true { readers[scope] = nil }
    }

    /// Removes a stream, and its account after its last one.
    mutating func remove(_ key: Int, of account: AccountID) {
      listeners[account]?.streams[key] = nil
      guard let listener = listeners[account], listener.streams.isEmpty else { return }
      listeners[account] = nil
      for scope in listener.grants.keys { remove(account, from: scope) }
    }

    func streams(of account: AccountID) -> [EventChannel] {
      listeners[account].map { $0.streams.values.map(\.channel) } ?? []
    }

    func streams(of accounts: Set<AccountID>) -> [EventChannel] { accounts.flatMap(streams(of:)) }
  }

  private let state = Mutex(State())

  /// The largest number of open streams of an account. One more closes the oldest.
  package static let streamsPerAccount = 64

  /// Creates a hub without streams.
  package init() {}

  /// The number of open streams.
  var count: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.streams.count } } }

  /// The access tokens of the open streams.
  var tokens: Set<ContentHash> {
    state.withLock { state in
      Set(state.listeners.values.flatMap { $0.streams.values.map(\.token) })
    }
  }

  /// Opens an event stream of hints about changes of the scopes that an account may read.
  ///
  /// Pass the account's grants to ``setGrants(_:of:)`` afterwards. So no later grant is missed: it is
  /// applied by ``apply(_:of:)``. If the hub is closed, so is the stream.
  /// - Parameters:
  ///   - token: the hash of the access token that authenticated the account.
  ///   - lifetime: the longest time that the stream may last, for example until the token expires.
  func listen(
    _ account: AccountID, with token: ContentHash, lifetime: Duration? = nil
  ) -> EventChannel {
    let channel = EventChannel(capacity: 1 << 16, lifetime: lifetime)
    let (key, oldest) = state.withLock { state -> (Int?, EventChannel?) in
      guard !state.isClosed else { return (nil, nil) }
      state.last += 1
      state.listeners[account, default: Listener()].streams[state.last] = Stream(
        channel: channel, token: token)
      let streams = state.listeners[account]?.streams ?? [:]
      guard streams.count > Self.streamsPerAccount else { return (state.last, nil) }
      return (state.last, streams.min { $0.key < $1.key }?.value.channel)
    }
    oldest?.close()
    guard let key else {
      channel.close()
      return channel
    }
    channel.onClose { [weak self] in self?.state.withLock { $0.remove(key, of: account) } }
    return channel
  }

  /// Records the grants of an account with open streams, without hints.
  ///
  /// Of two grants in one scope the one with the larger number counts, in whichever order they
  /// arrive.
  func setGrants(_ grants: [Grant], of account: AccountID) {
    state.withLock { state in
      for grant in grants { _ = state.apply(grant, of: account) }
    }
  }

  /// Sends each hint on the streams that follow its scope.
  func send(_ hints: [Hint]) {
    for hint in hints {
      send(hint, on: state.withLock { $0.streams(of: $0.readers[hint.scope] ?? []) })
    }
  }

  /// Applies a changed grant to the account's open streams, and sends a hint about its scope on
  /// each of them, if it is newer than the last one.
  ///
  /// The streams follow the scope from now on if the account may read it, and no longer if not. The
  /// hint has the largest head, which no device has reached, so that each device pulls the grant.
  func apply(_ grant: Grant, of account: AccountID) {
    let channels = state.withLock { state in
      state.apply(grant, of: account) ? state.streams(of: account) : []
    }
    send(Hint(grant.scope, head: WireLimits.number), on: channels)
  }

  /// Sends a hint about a scope whose members have changed, on the streams of its other members.
  ///
  /// The hint has the largest head, as for a changed grant.
  /// - Parameter account: the account whose grant has changed. It is notified by ``apply(_:of:)``.
  func announceMembers(of scope: ScopeID, besides account: AccountID) {
    let channels = state.withLock { state in
      state.streams(of: (state.readers[scope] ?? []).subtracting([account]))
    }
    send(Hint(scope, head: WireLimits.number), on: channels)
  }

  /// Sends hints about a changed membership: about the grant to its account, and about the members
  /// to the others.
  func announce(_ grant: Grant, of account: AccountID) {
    apply(grant, of: account)
    announceMembers(of: grant.scope, besides: account)
  }

  /// Closes the streams of an account whose tokens have changed.
  package func closeStreams(of account: AccountID) {
    for channel in state.withLock({ $0.streams(of: account) }) { channel.close() }
  }

  /// Closes the streams of access tokens that have ended.
  func closeStreams(with tokens: Set<ContentHash>) {
    guard !tokens.isEmpty else { return }
    let ended = state.withLock { state in
      state.listeners.values.flatMap(\.streams.values).filter { tokens.contains($0.token) }
    }
    for stream in ended { stream.channel.close() }
  }

  /// Closes all streams, including those that are opened later.
  func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      return state.listeners.keys.flatMap(state.streams(of:))
    }
    for channel in channels { channel.close() }
  }

  // NB: Outside of the lock, because a stream that is full closes and calls back.
  private func send(_ hint: Hint, on channels: [EventChannel]) {
    let event = ServerSentEvent(event: "hint", data: hint.text)
    for channel in channels { channel.send(event) }
  }
}
