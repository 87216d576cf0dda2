import CSpawn
import Dispatch
import Glibc
import Synchronization

/// A process of another program, which gets nothing of this one but what its start names.
///
/// It has no open files besides the three standard ones, and its signals have their defaults. It
/// leads a group of processes: those that it has started and left there are killed when it ends. A
/// thread waits for its end, so a signal never reaches another process that has received its
/// identifier since.
///
/// NB: Foundation's `Process` reads past the end of a buffer, and may crash, in a process with more
/// than a thousand open files.
package final class ChildProcess: Sendable {
  /// A standard file of a program.
  package enum StandardFile: Sendable {
    /// The file of this process.
    case inherited
    /// The null device.
    case null
    /// An open file of this process, by its descriptor. It stays open here.
    case file(Int32)
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

  /// The identifier of the process, and of its group.
  package let identifier: Int32

  /// The status, once the process has ended.
  private let status = Mutex<Status?>(nil)
  private let ended = DispatchGroup()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path, or a name that is found by the variable `PATH` of this process.
  ///   - environment: its variables, each as `NAME=value`, or `nil` for those of this process.
  ///   - folder: its working folder, or `nil` for that of this process.
  /// - Throws: ``StartError``.
  package init(
    _ program: String, _ arguments: [String], environment: [String]? = nil, folder: String? = nil,
    input: StandardFile = .inherited, output: StandardFile = .inherited,
    errors: StandardFile = .inherited
  ) throws(StartError) {
    var identifier: pid_t = 0
    let code = ChildProcess.spawn(
      [program] + arguments, environment, folder, [input, output, errors], &identifier)
    guard code == 0 else { throw StartError(program: program, code: code) }
    self.identifier = identifier
    ended.enter()
    // NB: A serial queue has a thread at once. The threads of concurrent queues are few, and those
    // of tasks are among them.
    DispatchQueue(label: "offshore.processes").async { [self] in reap() }
  }

  /// Whether the process still runs.
  package var isRunning: Bool { status.withLock { $0 == nil } }

  /// Sends a signal to the process, if it still runs.
  package func signal(_ number: Int32) {
    status.withLock { if $0 == nil { _ = Glibc.kill(identifier, number) } }
  }

  /// Kills the process and its group by `SIGKILL`, if it still runs.
  package func kill() {
    status.withLock { if $0 == nil { _ = Glibc.kill(-identifier, SIGKILL) } }
  }

  /// Waits for the end of the process. It blocks the thread.
  @discardableResult
  package func wait() -> Status {
    ended.wait()
    return status.withLock { $0 } ?? .exit(0)
  }

  /// Waits until the process has ended, or until a time. It blocks the thread.
  /// - Returns: whether the process has ended.
  package func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
    let rest = ContinuousClock.now.duration(to: deadline)
    return ended.wait(timeout: .now() + max(0, rest / .seconds(1))) == .success
  }

  /// Waits until the process has ended, and frees its identifier while it cannot be signalled.
  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    status.withLock { status in
      // No other group has the identifier before the status is read.
      _ = Glibc.kill(-identifier, SIGKILL)
      var number: Int32 = 0
      while waitpid(identifier, &number, 0) < 0, errno == EINTR {}
      let signal = number & 0x7F
      status = signal == 0 ? .exit(number >> 8 & 0xFF) : .signal(signal)
    }
    ended.leave()
  }

  /// Starts a program. Returns 0 or an error code.
  private static func spawn(
    _ words: [String], _ environment: [String]?, _ folder: String?, _ files: [StandardFile],
    _ identifier: inout pid_t
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
    let arguments = copies(words)
    let variables = environment.map { copies($0) }
    defer { for string in arguments + (variables ?? []) { free(string) } }
    if let variables {
      return posix_spawnp(&identifier, words[0], &actions, &attributes, arguments, variables)
    }
    return posix_spawnp(
      &identifier, words[0], &actions, &attributes, arguments, offshore_environment())
  }

  /// Returns strings of C that the caller frees, with a null pointer at the end.
  private static func copies(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
  }
}

extension ChildProcess.StandardFile {
  fileprivate func add(to actions: inout posix_spawn_file_actions_t, as number: Int32) {
    switch self {
    case .inherited: break
    case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    case .file(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
  }
}
