import Foundation
import Observation
import OffshoreHost
import OffshoreLogging

/// One of the dock's phones: a process with a home of its own, which is started again when it ends.
///
/// One that ends before it has served its pages is not, since the next would end as well.
@MainActor @Observable
final class Phone {
  let number: Int
  /// Where its pages are, once it serves them.
  private(set) var address: String?
  private(set) var status = PhoneStatus()
  /// What keeps it from syncing, where it says so.
  private(set) var problem: String?
  /// Whether it has ended and is not started again.
  private(set) var hasEnded = false

  @ObservationIgnored private let executable: URL
  @ObservationIgnored private let arguments: [String]
  @ObservationIgnored private let home: String
  @ObservationIgnored private var settings: PhoneSettings
  @ObservationIgnored private var process: Process?
  @ObservationIgnored private var input: FileHandle?
  @ObservationIgnored private var running: Task<Void, Never>?
  @ObservationIgnored private var isStopping = false

  /// - Parameters:
  ///   - executable: The program to run, by default this one.
  ///   - arguments: The arguments before those of a phone, by default none.
  init(
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
  func start() async throws {
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

  /// Switches airplane mode. What it shows follows from what the phone tells.
  func setAirplane(_ isOn: Bool) { tell(.airplane(isOn)) }

  /// Has the phone finish what it has begun, and waits for that.
  func stop() async {
    isStopping = true
    try? input?.close()
    await running?.value
  }

  // MARK: - The process

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
          take(address)
          whenReady()
        case .status(let status): self.status = status
        case .problem(let problem): self.problem = problem
        }
      }
      status = PhoneStatus(isAirplane: status.isAirplane, pending: status.pending)
      problem = nil
      guard !isStopping else { return }
      guard hasServed, let next = try? launch() else {
        hasEnded = true
        return
      }
      messages = next
    }
  }

  private func launch() throws -> AsyncStream<PhoneMessage> {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments + ["phone", "--home", home, "--of-dock"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.process = process
    self.input = input.fileHandleForWriting
    tell(.start(settings))
    return MessageLines.messages(PhoneMessage.self, from: output.fileHandleForReading)
  }

  private func tell(_ message: DockMessage) {
    guard let line = try? MessageLines.encoded(message) else { return }
    try? input?.writeWithoutSignal(line)
  }

  /// Keeps the port, so that pages that are open find the phone again.
  private func take(_ address: String) {
    self.address = address
    if let port = URL(string: address)?.port { settings.port = UInt16(port) }
  }
}
