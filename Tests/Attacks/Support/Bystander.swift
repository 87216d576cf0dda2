import Dispatch
import Foundation
import OffshoreWire
import Synchronization
import TestSupport

/// A person who uses the server during an attack, over a new connection for each call.
///
/// A tenth of a second after each round it asks for the health, pulls and pushes. In every second
/// round another person signs in, each time from another address, because guesses of passwords are
/// limited.
final class Bystander: Sendable {
  /// The kinds of calls.
  enum Kind: String, CaseIterable { case health, pull, push, signIn }

  /// The durations and failures of all calls.
  struct Experience: Sendable, CustomStringConvertible {
    fileprivate(set) var durations: [Kind: [Duration]] = [:]
    fileprivate(set) var failures: [String] = []

    var description: String {
      Kind.allCases.map { kind in
        let all = durations[kind] ?? []
        return "\(kind.rawValue) \(all.count) × \(all.median), p99 \(all.most)"
      }.joined(separator: "; ")
    }
  }

  private let port: UInt16
  private let token: String
  private let device: RawDevice
  private let experience = Mutex(Experience())
  private let isEnding = Mutex(false)
  /// Wakes the thread up when it is to end.
  private let pause = DispatchSemaphore(value: 0)
  private let ended = Counter()
  /// The rounds of calls so far.
  let rounds = Counter()
  /// The longest call of each round.
  private let longest = Mutex<[Duration]>([])

  init(_ server: AttackedServer) async throws {
    port = server.port
    token = try await server.signUp("bystander").token
    device = try RawDevice()
    _ = try await server.signUp(Self.name)
    try await device.fill(server, token, [device.note("row", "A row of the bystander.")])
  }

  private static let name = "watcher"
  private static let interval = 0.1

  // MARK: - Control

  func start() {
    Thread { [self] in
      var number = 0
      while !isEnding.withLock(\.self) {
        round(number)
        number += 1
        _ = pause.wait(timeout: .now() + Self.interval)
      }
      ended.add()
    }.start()
  }

  /// Ends the calls.
  func end() async -> Experience {
    isEnding.withLock { $0 = true }
    pause.signal()
    await ended.wait(for: 1)
    return experience.withLock(\.self)
  }

  /// Waits for some more whole rounds.
  func wait(rounds count: Int) async { await rounds.wait(for: rounds.count + count + 1) }

  /// Waits until five rounds in a row, of which some have sign-ins, have no call that takes longer
  /// than a limit.
  func waitUntilWell(within limit: Duration, noLongerThan patience: Duration) async {
    let start = ContinuousClock.now
    let first = rounds.count + 1
    var count = first
    repeat {
      count += 1
      await rounds.wait(for: count)
      let last = longest.withLock { $0[min(first, $0.count)...].suffix(5) }
      if last.count == 5, last.allSatisfy({ $0 < limit }) { return }
    } while start.duration(to: .now) < patience
  }

  // MARK: - Calls

  private func round(_ number: Int) {
    var all: [Duration] = []
    all.append(measure(.health, Call(path: "healthz")))
    all.append(
      measure(.pull, try? .message(device.pull(limit: 100), to: "v1/pull", token: token)))
    let vote = device.edit(.increment, "row", ["votes": 1])
    all.append(measure(.push, try? .message(device.push([vote]), to: "v1/push", token: token)))
    if number % 2 == 0 {
      let person = ["name": Self.name, "password": AttackedServer.password]
      let host = Socket.loopback + 0x200 + UInt32(number / 2 % 200)
      all.append(measure(.signIn, try? .json(person, to: "v1/tokens"), from: host))
    }
    longest.withLock { $0.append(all.max() ?? .zero) }
    rounds.add()
  }

  private func measure(_ kind: Kind, _ call: Call?, from host: UInt32 = Socket.loopback) -> Duration
  {
    let start = ContinuousClock.now
    let failure: String?
    do {
      let answer = try call?.send(to: port, from: host)
      failure =
        200..<300 ~= answer?.status ?? 0 ? nil : "\(answer?.status ?? 0) \(answer?.text ?? "")"
    } catch {
      failure = "\(error)"
    }
    let duration = start.duration(to: .now)
    experience.withLock { experience in
      experience.durations[kind, default: []].append(duration)
      if let failure { experience.failures.append("\(kind.rawValue): \(failure)") }
    }
    return duration
  }
}

extension [Duration] {
  /// The duration in the middle of all, or zero if there are none.
  var median: Duration { isEmpty ? .zero : sorted()[count / 2] }
  /// The duration that 99 of 100 do not exceed, or zero if there are none.
  var most: Duration { isEmpty ? .zero : sorted()[(count * 99 - 1) / 100] }
}
