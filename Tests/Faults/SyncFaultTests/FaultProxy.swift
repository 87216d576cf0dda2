import Foundation
import Synchronization
import TestSupport

/// A proxy between a device and the server that causes network faults as configured.
///
/// It drops connections, delays bytes, cuts connections off in the middle of a request or an
/// answer, repeats whole requests on a separate connection, and refuses connections.
final class FaultProxy: Sendable {
  /// The behaviour of the proxy.
  enum Mood { case honest, faulty, refusing }

  private struct State {
    var target: UInt16 = 0
    var mood = Mood.honest
    var random: SeededRandom
    var links: [ObjectIdentifier: ProxyLink] = [:]
    var replays = 0
  }

  let port: UInt16
  private let listener: Socket
  private let state: Mutex<State>

  init(seed: UInt64) throws {
    (listener, port) = try Socket.listening()
    state = Mutex(State(random: SeededRandom(seed: seed)))
    Thread { [listener, weak self] in
      while let client = listener.accept() { self?.take(client) ?? client.close() }
      listener.close()
    }.start()
  }

  deinit {
    listener.shut()
    cut()
  }

  /// The number of repeated requests.
  var replays: Int { state.withLock { $0.replays } }

  /// Forwards connections to another port from now on.
  func lead(to port: UInt16) { state.withLock { $0.target = port } }

  /// Changes the behaviour. Cuts open connections off, so that the change takes effect at once.
  func become(_ mood: Mood) {
    state.withLock { $0.mood = mood }
    cut()
  }

  /// Stops refusing connections.
  func recover() {
    state.withLock { if $0.mood == .refusing { $0.mood = .faulty } }
  }

  /// Cuts all connections off.
  func cut() { for link in state.withLock({ Array($0.links.values) }) { link.cut() } }

  // MARK: - Connections

  private func take(_ client: Socket) {
    let (target, fate) = state.withLock { state in
      (
        state.mood == .refusing ? nil : state.target,
        state.mood == .faulty ? Fate.drawn(by: &state.random) : Fate()
      )
    }
    guard let target, !fate.isDropped, let server = Socket(to: target) else {
      // A child process that starts at this moment may inherit the descriptor.
      client.shut()
      return client.close()
    }
    let link = ProxyLink(client, server, fate) { [weak self] in self?.replay($0) }
    state.withLock { $0.links[ObjectIdentifier(link)] = link }
    link.start { [weak self] in
      _ = self?.state.withLock { $0.links.removeValue(forKey: ObjectIdentifier(link)) }
    }
  }

  /// Sends a request again and discards the answer.
  private func replay(_ request: [UInt8]) {
    guard let target = state.withLock({ $0.mood == .faulty ? $0.target : nil }) else { return }
    Thread { [weak self] in
      guard let server = Socket(to: target) else { return }
      if server.write(request), !server.read().isEmpty { self?.state.withLock { $0.replays += 1 } }
      server.shut()
      server.close()
    }.start()
  }
}

/// The faults of one connection.
struct Fate {
  var isDropped = false
  /// The number of bytes after which the connection is cut off: to the server, and back.
  var (limitUp, limitDown) = (Int.max, Int.max)
  /// The delay of each part, in milliseconds.
  var delay = 0
  /// Whether requests are repeated.
  var isReplayed = false

  static func drawn(by random: inout SeededRandom) -> Fate {
    var fate = Fate()
    switch random.number(below: 8) {
    case 0: fate.isDropped = true
    case 1: fate.limitUp = random.number(below: 6_000)
    case 2, 3: fate.limitDown = random.number(below: 6_000)
    case 4: fate.delay = random.number(below: 60)
    case 5, 6: fate.isReplayed = true
    default: break
    }
    return fate
  }
}
