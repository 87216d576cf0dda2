package import Foundation
import OffshoreLogging
import Synchronization

/// A process of one of the package's own programs.
package final class FaultProcess: Sendable {
  private struct Output {
    var text = Data()
    var errors = Data()
    var isEnough: @Sendable ([String]) -> Bool = { _ in false }
    var isOver = false
    var waiting: CheckedContinuation<Void, Never>?

    /// Removes and returns the waiting caller once its condition is met.
    mutating func removeWaiting() -> CheckedContinuation<Void, Never>? {
      guard waiting != nil, isOver || isEnough(lines) else { return nil }
      defer { waiting = nil }
      return waiting
    }

    /// The complete lines so far.
    var lines: [String] {
      let end = text.lastIndex(of: 10) ?? text.startIndex
      return String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  private let process: TestProcess
  private let input = Pipe()
  private let output = Mutex(Output())
  private let ended = DispatchGroup()

  /// Starts a program that was built with the tests.
  package convenience init(_ name: String, _ arguments: [String]) throws {
    try self.init(program: Self.path(of: name), arguments)
  }

  /// Starts a program that was built with the tests, with a limit of open files.
  package convenience init(_ name: String, _ arguments: [String], openFiles: Int) throws {
    try self.init(
      program: "/bin/sh",
      ["-c", "ulimit -n \(openFiles); exec \"$0\" \"$@\"", Self.path(of: name)] + arguments)
  }

  /// Starts a program in Python.
  package convenience init(python program: String, _ arguments: [String]) throws {
    try self.init(program: "python3", ["-c", program] + arguments)
  }

  private init(program: String, _ arguments: [String]) throws {
    let (standardOutput, standardError) = (Pipe(), Pipe())
    process = try TestProcess(
      program, arguments, input: .pipe(input), output: .pipe(standardOutput),
      errors: .pipe(standardError))
    // A process blocks when it writes to a full pipe, so both pipes are read all the time.
    for _ in 0..<2 { ended.enter() }
    Thread { [self] in
      follow(standardOutput)
      process.wait()
      ended.leave()
    }.start()
    Thread { [self] in
      let errors = (try? standardError.fileHandleForReading.readToEnd()) ?? Data()
      output.withLock { $0.errors = errors }
      ended.leave()
    }.start()
  }

  /// The folder of the package's programs: that of the variable `OFFSHORE_PROGRAMS`, by which other
  /// builds are tested, or else next to the tests.
  private static let programs =
    ProcessInfo.processInfo.environment["OFFSHORE_PROGRAMS"].map { URL(filePath: $0) }
    ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  private static func path(of name: String) -> String {
    programs.appending(path: name).path(percentEncoded: false)
  }

  /// The identifier of the process.
  package var identifier: Int32 { process.identifier }

  /// The text that the process wrote to standard error.
  package var errors: String { output.withLock { String(decoding: $0.errors, as: UTF8.self) } }

  /// Waits for a number of lines, or for the end of the process, and returns all lines so far.
  @discardableResult
  package func lines(_ count: Int) async -> [String] {
    await lines { $0.count >= count }
  }

  /// Waits until the lines suffice, or for the end of the process, and returns all lines so far.
  ///
  /// If the test runs out of time, the process is killed.
  @discardableResult
  package func lines(until isEnough: @escaping @Sendable ([String]) -> Bool) async -> [String] {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = output.withLock { output in
          output.isEnough = isEnough
          output.waiting = continuation
          return output.removeWaiting()
        }
        ready?.resume()
      }
    } onCancel: {
      process.kill()
    }
    return output.withLock { $0.lines }
  }

  /// Writes a line to the input of the process, unless it has ended.
  package func send(_ line: String) {
    try? input.fileHandleForWriting.writeWithoutSignal(Data("\(line)\n".utf8))
  }

  /// Closes the input of the process.
  package func endInput() { try? input.fileHandleForWriting.close() }

  /// Asks the process to end, by a signal.
  package func terminate() { process.terminate() }

  /// Kills the process by `SIGKILL`, if it still runs.
  package func kill() { process.kill() }

  /// Waits for a number of lines, kills the process by `SIGKILL`, and returns all lines it wrote.
  package func kill(afterLines count: Int) async throws -> [String] {
    _ = await lines(count)
    kill()
    _ = await status()
    return await lines(0)
  }

  /// Waits for the end of the process, and of those that have its output files, too. Returns its exit
  /// status, or the number of its signal.
  ///
  /// If the test runs out of time, the process is killed, and others are not waited for.
  package func status() async -> Int32 {
    let (ends, continuation) = AsyncStream.makeStream(of: Never.self)
    ended.notify(queue: .global()) { continuation.finish() }
    for await _ in ends {}
    if Task.isCancelled { process.kill() }
    return process.wait().number
  }

  private func follow(_ pipe: Pipe) {
    while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
      let ready = output.withLock { output in
        output.text.append(data)
        return output.removeWaiting()
      }
      ready?.resume()
    }
    output.withLock { output in
      output.isOver = true
      return output.removeWaiting()
    }?.resume()
  }
}

/// Helpers of exit tests that write to a pipe without a reader, which could end the process of the
/// tests.
package enum BrokenPipe {
  /// Restores the default of `SIGPIPE`: a write without a reader ends this process. The process
  /// that started the tests may have changed it.
  package static func restoreDefaultSignal() {
    signal(SIGPIPE, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Creates a pipe without a reader, and returns its end for writing.
  package static func makeWriter() throws -> FileHandle {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    return pipe.fileHandleForWriting
  }
}

/// The number of rounds of a test of faults.
package enum Rounds {
  /// Returns the number of rounds of this run.
  /// - Parameters:
  ///   - soak: the rounds if the variable `OFFSHORE_SOAK` is set, as `make soak` sets it.
  ///   - test: the rounds of an ordinary test run.
  package static func count(ofSoak soak: Int, else test: Int) -> Int {
    ProcessInfo.processInfo.environment["OFFSHORE_SOAK"] == nil ? test : soak
  }
}
