package import Foundation
import Observation
import OffshoreLogging

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
  /// - Throws: ``HostError`` if the phone ends before that; the error of `Process` if the program cannot be
  ///   run.
  package func start() async throws {
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

  /// Switches airplane mode on or off. ``status`` changes once the phone has done so.
  package func setAirplane(_ isOn: Bool) { send(.airplane(isOn)) }

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
    process.arguments = arguments + HostCommand.phoneArguments(home: home)
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.process = process
    self.input = input.fileHandleForWriting
    send(.start(settings))
    return MessageLines.messages(PhoneMessage.self, from: output.fileHandleForReading)
  }

  private func send(_ message: DockMessage) {
    guard let line = try? MessageLines.encoded(message) else { return }
    try? input?.writeWithoutSignal(line)
  }

  /// Stores the address, and its port for the next start, so that open pages reach the phone again.
  private func setAddress(_ address: String) {
    self.address = address
    if let port = URL(string: address)?.port { settings.port = UInt16(port) }
  }
}
