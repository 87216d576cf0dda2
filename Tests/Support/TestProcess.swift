import CSpawn
package import Foundation
import Synchronization

/// A program that a test starts.
///
/// NB: Foundation's `Process` reads past the end of a buffer, and may crash, in a process with more
/// than a thousand open files. The tests have more.
///
/// The program has no open files besides the three standard ones, its signals have their defaults,
/// and it leads a group of processes. A thread waits for its end, so a signal never reaches another
/// process that has received its identifier since.
package final class TestProcess: Sendable {
  /// A standard file of a program.
  package enum StandardFile: Sendable {
    /// The file of this process.
    case inherited
    /// The null device.
    case null
    /// A pipe to this process. The program's end of it is closed here after the start, so that the
    /// other end notices the end of the program.
    case pipe(Pipe)
  }

  /// The way in which a process ended.
  package enum Status: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)

    /// The exit status or the number of the signal.
    package var number: Int32 {
      switch self {
      case .exit(let number), .signal(let number): number
      }
    }
  }

  /// A program that cannot be started.
  package struct StartError: Error, CustomStringConvertible {
    package let program: String
    /// The error number of the system.
    package let code: Int32

    package var description: String { "\(program): \(String(cString: strerror(code)))" }
  }

  private struct State {
    var isRunning = true
    var status = Status.exit(0)
  }

  /// The identifier of the process.
  package let identifier: Int32

  /// The pipes stay open while the process runs, even if only one end is in use.
  private let files: [StandardFile]
  private let state = Mutex(State())
  private let ended = DispatchGroup()

  /// Starts a program.
  /// - Parameters:
  ///   - program: its path, or a name that is found by the variable `PATH` of this process.
  ///   - environment: its variables, or `nil` for those of this process.
  ///   - folder: its working folder, or `nil` for that of this process.
  /// - Throws: ``StartError``.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    folder: String? = nil, input: StandardFile = .inherited, output: StandardFile = .inherited,
    errors: StandardFile = .inherited
  ) throws {
    files = [input, output, errors]
    let variables = environment ?? ProcessInfo.processInfo.environment
    var identifier: Int32 = 0
    let code = TestProcess.spawn(
      [program] + arguments, variables.map { "\($0.key)=\($0.value)" }, folder, files, &identifier)
    for (number, file) in zip(STDIN_FILENO..., files) { try? file.end(number)?.close() }
    guard code == 0 else { throw StartError(program: program, code: code) }
    self.identifier = identifier
    ended.enter()
    Thread { [self] in reap() }.start()
  }

  /// Whether the process still runs.
  package var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Sends a signal to the process, if it still runs.
  package func signal(_ number: Int32) {
    state.withLock { state in
      if state.isRunning { _ = Foundation.kill(identifier, number) }
    }
  }

  /// Asks the process to end, by `SIGTERM`.
  package func terminate() { signal(SIGTERM) }

  /// Kills the process by `SIGKILL`, if it still runs.
  package func kill() { signal(SIGKILL) }

  /// Waits for the end of the process. It blocks the thread.
  @discardableResult
  package func wait() -> Status {
    ended.wait()
    return state.withLock { $0.status }
  }

  /// Waits until the process has ended, and frees its identifier while it cannot be signalled.
  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      state.status = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
      state.isRunning = false
    }
    ended.leave()
  }

  /// Starts a program. Returns 0 or an error code.
  private static func spawn(
    _ arguments: [String], _ variables: [String], _ folder: String?, _ files: [StandardFile],
    _ identifier: inout Int32
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, file) in zip(STDIN_FILENO..., files) { file.add(to: &actions, as: number) }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    offshore_reset_signals_and_group(&attributes)
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for string in words + environment { free(string) } }
    return posix_spawnp(&identifier, arguments[0], &actions, &attributes, words, environment)
  }
}

extension TestProcess.StandardFile {
  /// The program's end of a pipe.
  fileprivate func end(_ number: Int32) -> FileHandle? {
    guard case .pipe(let pipe) = self else { return nil }
    return number == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
  }

  fileprivate func add(to actions: inout posix_spawn_file_actions_t, as number: Int32) {
    if case .null = self {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    } else if let file = end(number) {
      posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, number)
    }
  }
}
