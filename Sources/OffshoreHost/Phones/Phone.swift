package import Foundation
import Observation
import OffshoreLogging
import OffshorePresentation

/// A phone of a dock: a process with a folder of its own, which is started again when it ends.
///
/// A phone that ends before it serves its pages is not started again, because the next would end as well.
@MainActor @Observable
package final class Phone {
  /// The number of the phone in its dock.
  package let number: Int
  /// The address of its first page, with a launch token; `nil` until the phone serves its pages.
  package private(set) var address: String?
  /// The state of its syncing.
  package private(set) var status = PhoneStatus()
  /// Whether its process serves its pages: not before its start, and not between its end and the next start.
  package private(set) var isServing = false
  /// How often the phone has served its pages again after its process had ended.
  package private(set) var returnCount = 0
  /// The facts about its data; `nil` until it has reported some.
  package private(set) var facts: PhoneFacts?
  /// The latest change of another device that has arrived, since the dock was started.
  package private(set) var arrival: Arrival?
  /// The codes of invitations that it has made, by the name of the app.
  package private(set) var invitations: [String: String] = [:]
  /// The names of the apps whose sample content it has joined.
  package private(set) var joinedApps: Set<String> = []
  /// The latest error of signing in or of airplane mode, in a sentence to show.
  package private(set) var problem: String?
  /// Whether the phone has ended and is not started again.
  package private(set) var hasEnded = false

  @ObservationIgnored private let executable: URL
  @ObservationIgnored private let arguments: [String]
  @ObservationIgnored private let home: String
  @ObservationIgnored private var settings: PhoneSettings
  @ObservationIgnored private var process: Process?
  @ObservationIgnored private var input: FileHandle?
  @ObservationIgnored private var running: Task<Void, Never>?
  @ObservationIgnored private var isStopping = false

  /// Describes a phone, without starting it.
  ///
  /// - Parameters:
  ///   - home: the folder of its files.
  ///   - executable: the program to run, a ``HostProgram``; by default this one.
  ///   - arguments: the arguments before those of a phone.
  package init(
    _ number: Int, home: String, settings: PhoneSettings,
    executable: URL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
    arguments: [String] = []
  ) {
    self.number = number
    self.executable = executable
    self.arguments = arguments
    self.home = home
    self.settings = settings
  }

  /// Runs the phone, and returns once it serves its pages.
  ///
  /// - Parameter invitations: the codes of invitations by which it joins sample content.
  /// - Throws: ``HostError`` if the phone ends before that; the error of `Process` if the program cannot be
  ///   run.
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

  /// Switches airplane mode on or off, and waits a moment until ``status`` says so.
  package func setAirplane(_ isOn: Bool) async {
    send(.airplane(isOn))
    await wait { $0.status.isAirplane == isOn || $0.hasEnded }
  }

  /// Ends the process by SIGKILL, and waits a moment until the phone serves its pages again.
  package func killProcess() async {
    // One that is starting again would count as one that cannot start.
    guard isServing, let process, process.isRunning else { return }
    isServing = false
    let count = returnCount
    kill(process.processIdentifier, SIGKILL)
    await wait { $0.returnCount > count || $0.hasEnded }
  }

  /// Waits until a condition is met, but not longer than a form may take.
  private func wait(until isMet: @escaping @MainActor @Sendable (Phone) -> Bool) async {
    let meeting = Task {
      for await isMet in Observations({ isMet(self) }) where isMet { return }
    }
    _ = await OffshorePresentation.wait(for: meeting, atMost: Self.patience) {
      try await Task.sleep(for: $0)
    }
    meeting.cancel()
  }

  private static let patience = Duration.seconds(5)

  /// Stops the phone, which completes the work under way, and waits for its end.
  package func stop() async {
    isStopping = true
    try? input?.close()
    await running?.value
  }

  // MARK: - The process

  /// Applies the messages of the phone, and starts it again whenever they end.
  private func follow(
    _ first: AsyncStream<PhoneMessage>, whenReady: () -> Void
  ) async {
    var messages = first
    while true {
      var hasServed = false
      for await message in messages {
        switch message {
        case .ready(let address):
          hasServed = true
          setAddress(address)
          whenReady()
        default: apply(message)
        }
      }
      isServing = false
      (status.isOnline, status.hindrance, problem) = (false, nil, nil)
      guard !isStopping else { return }
      guard hasServed, let next = try? launch() else {
        hasEnded = true
        return
      }
      messages = next
    }
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
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments + HostCommand.phoneArguments(home: home)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.process = process
    self.input = input.fileHandleForWriting
    send(.start(settings))
    return MessageLines.messages(PhoneMessage.self, from: output.fileHandleForReading)
  }

  func send(_ message: DockMessage) {
    guard let line = try? MessageLines.encoded(message) else { return }
    try? input?.writeWithoutSignal(line)
  }

  /// Stores the address, and its port for the next start, so that open pages reach the phone again.
  private func setAddress(_ address: String) {
    if self.address != nil { returnCount += 1 }
    self.address = address
    isServing = true
    if let port = URL(string: address)?.port { settings.port = UInt16(port) }
  }
}
