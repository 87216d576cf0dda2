package import Foundation
import Observation
import OffshoreLogging
import OffshorePresentation
import OffshoreProcesses

/// A phone of a dock: a process with its own folder, which is restarted when it ends.
///
/// A process that ends before it serves its pages is not restarted, because the next one would end
/// as well. If several end soon after they serve their pages, the restarts have growing delays.
@MainActor @Observable
package final class Phone {
  /// The number of the phone in its dock.
  package let number: Int
  /// The address of its first page, with a launch token; `nil` until the phone serves its pages.
  package private(set) var address: String?
  /// The address of the page that lists its apps, without a launch token.
  package var appsAddress: String? {
    address.flatMap { URL(string: "/", relativeTo: URL(string: $0))?.absoluteString }
  }
  /// The state of its syncing.
  package private(set) var status = PhoneStatus()
  /// Whether its process serves its pages. It is `false` before the start, and between the end of a
  /// process and its restart.
  package private(set) var isServing = false
  /// The number of times that the phone served its pages again after its process had ended.
  package private(set) var returnCount = 0
  /// The facts about its data, or `nil` before the first report.
  package private(set) var facts: PhoneFacts?
  /// The latest change of another device that has arrived, since the dock was started.
  package private(set) var arrival: Arrival?
  /// The codes of the invitations that it has created, by the names of the apps.
  package private(set) var invitations: [String: String] = [:]
  /// The names of the apps whose sample content it has joined.
  package private(set) var joinedApps: Set<String> = []
  /// The latest error of signing in or of airplane mode, in a sentence to show.
  package private(set) var problem: String?
  /// Whether the phone has ended and is not restarted.
  package private(set) var hasEnded = false

  @ObservationIgnored private let executable: URL
  @ObservationIgnored private let arguments: [String]
  @ObservationIgnored private let home: String
  @ObservationIgnored private var settings: PhoneSettings
  @ObservationIgnored private var process: ChildProcess?
  @ObservationIgnored private var input: FileHandle?
  @ObservationIgnored private var running: Task<Void, Never>?
  @ObservationIgnored private var isStopping = false
  @ObservationIgnored private var delays = RestartDelays()
  @ObservationIgnored private var pause: Task<Void, Never>?
  @ObservationIgnored private let sleep: @Sendable (Duration) async throws -> Void

  /// Creates a phone without starting it.
  ///
  /// - Parameters:
  ///   - home: the folder of its files.
  ///   - executable: the program to run, a ``HostProgram``; this one by default.
  ///   - arguments: the arguments before those of a phone.
  ///   - sleep: suspends for the delay before a restart.
  package init(
    _ number: Int, home: String, settings: PhoneSettings,
    executable: URL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
    arguments: [String] = [],
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.sleep = sleep
    self.number = number
    self.executable = executable
    self.arguments = arguments
    self.home = home
    self.settings = settings
  }

  /// Starts the phone, and returns when it serves its pages.
  ///
  /// - Parameter invitations: the codes of the invitations to sample content that it accepts.
  /// - Throws: ``HostError`` if the phone ends before that; `ChildProcess.StartError` if the program
  ///   cannot be run.
  package func start(invitations: [String: String] = [:]) async throws {
    settings.invitations = invitations
    let messages = try launch()
    await withCheckedContinuation { (ready: CheckedContinuation<Void, Never>) in
      running = Task {
        var ready: CheckedContinuation<Void, Never>? = ready
        await follow(messages) {
          ready?.resume()
          ready = nil
        }
        ready?.resume()
      }
    }
    guard address != nil else {
      throw HostError("Phone \(number) did not start. Its folder is “\(home)”.")
    }
  }

  /// Switches airplane mode on or off, and waits up to five seconds until ``status`` shows it.
  package func setAirplane(_ isOn: Bool) async {
    send(.airplane(isOn))
    await wait { $0.status.isAirplane == isOn || $0.hasEnded }
  }

  /// Kills the process by SIGKILL, and waits up to five seconds until the phone serves its pages
  /// again.
  package func killProcess() async {
    // Killing a process before it serves its pages would count as a failed start.
    guard isServing, let process, process.isRunning else { return }
    isServing = false
    // The user has asked for it, so the phone does not count as failing.
    delays = RestartDelays()
    let count = returnCount
    process.kill()
    await wait { $0.returnCount > count || $0.hasEnded }
  }

  /// Waits until a condition is met, for up to five seconds.
  private func wait(until isMet: @escaping @MainActor @Sendable (Phone) -> Bool) async {
    let meeting = Task {
      for await isMet in Observations({ isMet(self) }) where isMet { return }
    }
    _ = await OffshorePresentation.wait(for: meeting, atMost: Self.waitTimeout) {
      try await Task.sleep(for: $0)
    }
    meeting.cancel()
  }

  private static let waitTimeout = Duration.seconds(5)

  /// Stops the phone after it has completed its running work, and waits for its end.
  package func stop() async {
    isStopping = true
    pause?.cancel()
    try? input?.close()
    await running?.value
  }

  // MARK: - The process

  /// Applies the messages of the phone, and restarts it whenever they end.
  private func follow(
    _ first: AsyncStream<PhoneMessage>, whenReady: () -> Void
  ) async {
    var messages = first
    while true {
      var served: ContinuousClock.Instant?
      for await message in messages {
        switch message {
        case .ready(let address):
          served = .now
          setAddress(address)
          whenReady()
        default: apply(message)
        }
      }
      isServing = false
      (status.isOnline, status.blocker, problem) = (false, nil, nil)
      guard !isStopping else { return }
      guard let served else {
        hasEnded = true
        return
      }
      await waitToRestart(after: .now - served)
      guard !isStopping else { return }
      guard let next = try? launch() else {
        hasEnded = true
        return
      }
      messages = next
    }
  }

  /// Waits for the delay before the restart of a process that has served its pages for a time, or
  /// until the phone is stopped.
  private func waitToRestart(after time: Duration) async {
    let delay = delays.next(afterServing: time)
    guard delay > .zero else { return }
    let pause = Task { [sleep] in
      // The only error is that of a cancelled wait.
      _ = try? await sleep(delay)
    }
    self.pause = pause
    await pause.value
    self.pause = nil
  }

  private func apply(_ message: PhoneMessage) {
    switch message {
    case .ready: break
    case .invitation(let app, let code): invitations[app] = code
    case .joined(let app):
      joinedApps.insert(app)
      // A phone whose user has lost the access does not join again when it is started again.
      settings.invitations[app] = nil
    case .status(let status): self.status = status
    case .facts(let facts): self.facts = facts
    case .arrival(let arrival): self.arrival = arrival
    case .problem(let problem): self.problem = problem
    }
  }

  private func launch() throws -> AsyncStream<PhoneMessage> {
    let (input, output) = (Pipe(), Pipe())
    // The process leads a group, so Ctrl-C ends the dock alone, which then stops its phones.
    process = try ChildProcess(
      executable.path(percentEncoded: false),
      arguments + HostCommand.phoneArguments(home: home),
      input: .file(input.fileHandleForReading.fileDescriptor),
      output: .file(output.fileHandleForWriting.fileDescriptor))
    // Each process notices the end of the other by the end of a pipe, of which it has one end only.
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    self.input = input.fileHandleForWriting
    send(.start(settings))
    return MessageLines.messages(PhoneMessage.self, from: output.fileHandleForReading)
  }

  func send(_ message: DockMessage) {
    guard let line = try? MessageLines.encoded(message) else { return }
    try? input?.writeWithoutSignal(line)
  }

  /// Stores the address, and its port for a restart, so that open pages can reconnect.
  private func setAddress(_ address: String) {
    if self.address != nil { returnCount += 1 }
    self.address = address
    isServing = true
    if let port = URL(string: address)?.port { settings.port = UInt16(port) }
  }
}

/// The delays before the restarts of a phone's process.
///
/// A process that ends once is restarted at once. If the next ones end within seconds too, they
/// would otherwise occupy the processor.
struct RestartDelays {
  /// The number of processes in a row that have ended soon.
  private var shortRunCount = 0

  /// The shortest time for which a process serves its pages without counting as ended soon.
  private static let shortestRun = Duration.seconds(10)

  /// Returns the delay after a process that has served its pages for a time: none after the first
  /// short run or a long one, then a quarter of a second, and twice as much each time, up to 30
  /// seconds.
  mutating func next(afterServing time: Duration) -> Duration {
    guard time < Self.shortestRun else {
      shortRunCount = 0
      return .zero
    }
    shortRunCount += 1
    guard shortRunCount > 1 else { return .zero }
    return min(.milliseconds(250 << min(shortRunCount - 2, 7)), .seconds(30))
  }
}
