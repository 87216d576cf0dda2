import CSpawn
import Glibc

/// A process with a socket for its input and its output, and with nothing else of this process: no
/// environment, no open files, no ignored signals, and a folder in which no file can be created.
///
/// It leads a group of processes, so that it is killed with all processes that it starts.
struct ChildProcess: Sendable {
  /// The way in which a process ended.
  enum Status: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  private let identifier: pid_t
  /// The end of the socket that belongs to this process.
  let socket: Int32

  /// The signal that ends a process after its time of the processor.
  static let timeSignal = SIGXCPU

  /// Starts a program.
  /// - Throws: ``ImageError`` with the code `unavailable`.
  init(_ path: String, _ arguments: [String]) throws(ImageError) {
    var sockets: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else {
      throw .cannotRun(path, errno)
    }
    defer { close(sockets[1]) }
    var identifier: pid_t = 0
    let code = Self.spawn(path, [path] + arguments, sockets[1], &identifier)
    guard code == 0 else {
      close(sockets[0])
      throw .cannotRun(path, code)
    }
    self.identifier = identifier
    socket = sockets[0]
  }

  /// Kills the process and all processes that it has started, if they still run. Call it only
  /// before ``end()``.
  func kill() { _ = Glibc.kill(-identifier, SIGKILL) }

  /// Waits until the process has ended, or until a time. It blocks the thread.
  /// - Returns: whether the process has ended.
  func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
    let file = offshore_process_file(identifier)
    // Without a file to wait for, a process that has closed its output counts as ended.
    guard file >= 0 else { return true }
    defer { close(file) }
    while let rest = deadline.milliseconds {
      var source = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      if poll(&source, 1, rest) > 0 { return true }
    }
    return false
  }

  /// Waits for the end of the process, and frees everything of it.
  func end() -> Status {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    close(socket)
    let signal = status & 0x7F
    return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
  }

  /// Returns the path of a program in the folder of the running one.
  static func pathBesideExecutable(_ name: String) -> String {
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      let count = buffer.baseAddress.map { readlink("/proc/self/exe", $0, buffer.count) } ?? 0
      let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
      return String(decoding: bytes, as: UTF8.self)
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return folder + name
  }

  /// Starts a program with a socket as its input and output. Returns 0 or an error code.
  private static func spawn(
    _ path: String, _ arguments: [String], _ socket: Int32, _ identifier: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    posix_spawn_file_actions_addchdir_np(&actions, "/proc")
    offshore_reset_signals_and_group(&attributes)
    let strings: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    return posix_spawn(&identifier, path, &actions, &attributes, strings, [nil])
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
