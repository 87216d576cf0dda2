import Foundation
import Synchronization

/// The signals by which users and service managers end a process: SIGTERM, and that of Ctrl-C.
///
/// A program waits for them between the start of its parts and their graceful end:
///
/// ```swift
/// let port = try server.start()
/// await TerminationSignals.wait { print("http://127.0.0.1:\(port)") }
/// await server.stop()
/// ```
public enum TerminationSignals {
  /// The signal of service managers, and that of Ctrl-C.
  package static let usual = [SIGTERM, SIGINT]

  /// Waits until SIGTERM or SIGINT arrives, or the current task is cancelled.
  ///
  /// Meanwhile, the signals do not end the process. A second one ends it at once, as does one
  /// after the call. One signal resumes all callers that wait.
  ///
  /// - Parameter whenReady: called when the signals can arrive, for example to print an address.
  public static func wait(whenReady: () -> Void = {}) async {
    await wait(for: usual, whenReady: whenReady)
  }

  /// Waits until one of some signals arrives, or the current task is cancelled.
  ///
  /// - Parameters:
  ///   - signals: the signals.
  ///   - whenReady: called when the signals can arrive.
  package static func wait(for signals: [Int32], whenReady: () -> Void) async {
    await SignalWaits.shared.wait(for: signals, whenReady: whenReady)
  }
}

/// The callers of this process that wait for signals.
private final class SignalWaits: Sendable {
  private struct Wait {
    let signals: [Int32]
    let resume: AsyncStream<Void>.Continuation
  }

  private struct State {
    var waits: [Int: Wait] = [:]
    var count = 0

    /// Adds a wait, and returns its number.
    mutating func add(_ wait: Wait) -> Int {
      count += 1
      waits[count] = wait
      return count
    }
  }

  static let shared = SignalWaits()

  private let pipe = Pipe()
  private let state = Mutex(State())

  private init() {
    arrivalDescriptor.store(pipe.fileHandleForWriting.fileDescriptor, ordering: .releasing)
    // NB: Dispatch's own signal sources miss signals on Linux that the main thread does not block.
    Thread.detachNewThread { [self] in follow() }
  }

  func wait(for signals: [Int32], whenReady: () -> Void) async {
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    let number = state.withLock { state in
      defer { for each in signals { signal(each, recordArrival) } }
      return state.add(Wait(signals: signals, resume: continuation))
    }
    whenReady()
    for await _ in arrivals { break }
    state.withLock { state in
      state.waits[number] = nil
      let awaited = Set(state.waits.values.flatMap(\.signals))
      for each in signals where !awaited.contains(each) { signal(each, SIG_DFL) }
    }
  }

  /// Resumes the callers of each signal that arrives, for the life of the process.
  private func follow() {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var number: UInt8 = 0
    while true {
      let count = read(descriptor, &number, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return }
      let waits = state.withLock { $0.waits.values.filter { $0.signals.contains(Int32(number)) } }
      for wait in waits { wait.resume.yield() }
    }
  }
}

/// The descriptor to which arrivals are written, or -1 before the first wait.
private let arrivalDescriptor = Atomic<Int32>(-1)

/// Writes the number of a signal that has arrived, with the operations that a signal handler may use
/// (<https://man7.org/linux/man-pages/man7/signal-safety.7.html>).
private func recordArrival(_ number: Int32) {
  let error = errno
  signal(number, SIG_DFL)
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(arrivalDescriptor.load(ordering: .acquiring), &byte, 1)
  errno = error
}
