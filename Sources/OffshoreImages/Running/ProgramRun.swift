import Dispatch
import Glibc
import OffshoreProcesses
import Synchronization

/// One run of a program that reads its input, writes its output and ends.
final class ProgramRun: Sendable {
  /// The way in which a run ended.
  enum Outcome: Equatable, Sendable {
    /// The program ended with a status, and wrote an output.
    case exit(status: Int32, output: [UInt8])
    /// A signal ended the program.
    case signal(Int32)
    /// The program did not end in time, or used up its time of the processor.
    case timedOut
    /// The program wrote more than it should.
    case excess
  }

  private struct State {
    var isCancelled = false
    /// The process, once it was started.
    var process: ChildProcess?
  }

  private let path: String
  private let arguments: [String]
  private let input: [UInt8]
  private let outputLimit: Int
  private let timeLimit: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - outputLimit: the largest number of bytes of the output.
  ///   - timeLimit: the time after which the process is killed.
  init(
    _ path: String, _ arguments: [String], input: [UInt8],
    outputLimit: Int = ImageLimits.byteCount, timeLimit: Duration
  ) {
    self.path = path
    self.arguments = arguments
    self.input = input
    self.outputLimit = outputLimit
    self.timeLimit = timeLimit
  }

  /// Runs the program, on a thread that waits for it. When this returns, the process has ended.
  /// - Throws: ``ImageError`` with the code `unavailable`; `CancellationError`.
  func outcome() async throws -> Outcome {
    let outcome = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // NB: A serial queue has a thread at once. The threads of concurrent queues are few, and
        // those of tasks are among them.
        DispatchQueue(label: "offshore.images").async { [self] in
          continuation.resume(with: Result { try run() })
        }
      }
    } onCancel: {
      cancel()
    }
    guard !state.withLock({ $0.isCancelled }) else { throw CancellationError() }
    return outcome
  }

  private func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.process?.kill()
    }
  }

  private func run() throws(ImageError) -> Outcome {
    let deadline = ContinuousClock.now + timeLimit
    let (process, socket) = try start()
    defer { close(socket) }
    state.withLock { state in
      state.process = process
      if state.isCancelled { process.kill() }
    }
    var exchange = ProgramExchange(socket, input, outputLimit: outputLimit)
    var result = exchange.run(until: deadline)
    // A program closes its output before it ends, and may do so long before.
    if result == .complete, !process.hasEnded(by: deadline) { result = .timedOut }
    process.kill()
    return switch (result, process.wait()) {
    case (.timedOut, _), (_, .signal(Self.timeSignal)): .timedOut
    case (.excess, _): .excess
    case (.complete, .signal(let number)): .signal(number)
    case (.complete, .exit(let status)): .exit(status: status, output: exchange.output)
    }
  }

  /// The signal that ends a process after its time of the processor.
  private static let timeSignal = SIGXCPU

  /// Starts the program with a socket for its input and its output, and with nothing else of this
  /// process: no environment, and a folder in which no file can be created.
  /// - Returns: the process, and the end of the socket that belongs to this one.
  private func start() throws(ImageError) -> (process: ChildProcess, socket: Int32) {
    var sockets: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw .cannotRun(path, errno) }
    defer { close(sockets[1]) }
    let end = ChildProcess.StandardFile.file(sockets[1])
    do throws(ChildProcess.StartError) {
      let process = try ChildProcess(
        path, arguments, environment: [], folder: "/proc", input: end, output: end, errors: .null)
      return (process, sockets[0])
    } catch {
      close(sockets[0])
      throw .cannotRun(path, error.code)
    }
  }
}

extension ImageError {
  fileprivate static func cannotRun(_ path: String, _ code: Int32) -> ImageError {
    ImageError(
      .unavailable,
      "The program “\(path)” cannot be run (\(String(cString: strerror(code)))). Install "
        + "offshore-image beside the app.")
  }
}
