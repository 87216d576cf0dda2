import Glibc

/// The transfer of a program's input and output.
///
/// Both are in progress at once, because a program that writes before it has read everything would
/// otherwise wait forever.
struct ProgramExchange {
  enum Result: Equatable {
    /// The program has closed its output.
    case complete
    case timedOut
    /// There is more output than the limit.
    case excess
  }

  private let socket: Int32
  private var input: ArraySlice<UInt8>
  private let outputLimit: Int
  private(set) var output: [UInt8] = []

  /// - Parameter socket: the input and the output of the program.
  init(_ socket: Int32, _ input: [UInt8], outputLimit: Int) {
    self.socket = socket
    self.input = input[...]
    self.outputLimit = outputLimit
  }

  /// Writes the input and reads the output, until the end of the output or a time. It blocks the
  /// thread.
  mutating func run(until deadline: ContinuousClock.Instant) -> Result {
    if input.isEmpty { endInput() }
    while true {
      guard let rest = deadline.milliseconds else { return .timedOut }
      let events = Int32(POLLIN) | (input.isEmpty ? 0 : Int32(POLLOUT))
      var source = pollfd(fd: socket, events: Int16(events), revents: 0)
      guard poll(&source, 1, rest) > 0 else { continue }
      if Int32(source.revents) & Int32(POLLOUT) != 0, !input.isEmpty { write() }
      if Int32(source.revents) & ~Int32(POLLOUT) != 0, !read() { return .complete }
      guard output.count <= outputLimit else { return .excess }
    }
  }

  /// Writes a part of the input. A program that reads no more gets no more.
  private mutating func write() {
    let count = input.withUnsafeBytes {
      send(socket, $0.baseAddress, $0.count, Self.flags)
    }
    if count >= 0 {
      input = input.dropFirst(count)
    } else if errno != EAGAIN, errno != EINTR {
      input = []
    }
    if input.isEmpty { endInput() }
  }

  /// Reads a part of the output. Returns `false` at the end.
  private mutating func read() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      let count = recv(socket, buffer.baseAddress, buffer.count, Self.flags)
      if count > 0 { output += buffer[..<count] }
      // A program that has ended without reading its input resets the connection.
      return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }
  }

  private func endInput() { shutdown(socket, Int32(SHUT_WR)) }

  /// A write to a program that has ended fails instead of raising `SIGPIPE`.
  private static let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
}

extension ContinuousClock.Instant {
  /// The milliseconds until then, rounded up, and at most a minute; `nil` if it has passed.
  var milliseconds: Int32? {
    let rest = ContinuousClock.now.duration(to: self)
    guard rest > .zero else { return nil }
    return Int32(min(rest / .milliseconds(1), 60_000).rounded(.up))
  }
}
