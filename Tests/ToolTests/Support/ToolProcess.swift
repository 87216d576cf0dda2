import Foundation
import OffshoreLogging
import Synchronization
import TestSupport

/// A process of the tool, as a user or a service manager starts it.
final class ToolProcess: Sendable {
  private struct Output {
    var text = Data()
    var errors = Data()
    var goal: String?
    var isOver = false
    var waiting: CheckedContinuation<Void, Never>?

    mutating func removeWaiting() -> CheckedContinuation<Void, Never>? {
      guard isOver || goal.map({ String(decoding: text, as: UTF8.self).contains($0) }) == true
      else { return nil }
      defer { waiting = nil }
      return waiting
    }
  }

  private let process: TestProcess
  private let output = Mutex(Output())
  private let ended = DispatchGroup()

  /// Starts the tool.
  /// - Parameter input: The text of its standard input.
  init(_ arguments: [String], environment: [String: String] = [:], input: String = "") throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "offshore").path(percentEncoded: false)
    // The coverage of the tests includes the tool's process.
    let own = ProcessInfo.processInfo.environment.filter { $0.key == "LLVM_PROFILE_FILE" }
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process = try TestProcess(
      program, arguments, environment: environment.merging(own) { $1 },
      input: .pipe(standardInput), output: .pipe(standardOutput), errors: .pipe(standardError))
    for _ in 0..<2 { ended.enter() }
    // A tool that refuses its arguments ends before it reads.
    try? standardInput.fileHandleForWriting.writeWithoutSignal(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    follow(standardOutput) { $0.text += $1 }
    follow(standardError) { $0.errors += $1 }
  }

  deinit { process.kill() }

  var identifier: Int32 { process.identifier }

  /// The text written to standard output so far.
  var text: String { output.withLock { String(decoding: $0.text, as: UTF8.self) } }

  /// The text written to standard error so far.
  var errors: String { output.withLock { String(decoding: $0.errors, as: UTF8.self) } }

  /// Waits until standard output contains a text, or the process has ended.
  func wait(for text: String) async {
    await withCheckedContinuation { continuation in
      output.withLock { output in
        output.goal = text
        output.waiting = continuation
        return output.removeWaiting()
      }?.resume()
    }
  }

  /// Sends a signal to the process.
  func signal(_ number: Int32) { process.signal(number) }

  /// Waits for the end of the process and returns its exit status, or the number of its signal.
  func status() async -> Int32 {
    await withCheckedContinuation { continuation in
      ended.notify(queue: .global()) { continuation.resume() }
    }
    return process.wait().number
  }

  private func follow(_ pipe: Pipe, _ append: @escaping @Sendable (inout Output, Data) -> Void) {
    Thread { [self] in
      while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
        output.withLock { output in
          append(&output, data)
          return output.removeWaiting()
        }?.resume()
      }
      output.withLock { output in
        output.isOver = true
        return output.removeWaiting()
      }?.resume()
      ended.leave()
    }.start()
  }
}

/// A program of the system that is run to its end.
struct Command {
  private let arguments: [String]
  private let input: String

  init(_ arguments: String..., input: String = "") {
    self.arguments = arguments
    self.input = input
  }

  func run() throws -> (status: Int32, text: String) {
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    let process = try TestProcess(
      arguments[0], Array(arguments.dropFirst()), input: .pipe(standardInput),
      output: .pipe(standardOutput), errors: .null)
    try? standardInput.fileHandleForWriting.writeWithoutSignal(Data(input.utf8))
    let data = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    return (process.wait().number, String(decoding: data, as: UTF8.self))
  }
}

extension ToolProcess {
  /// Runs the tool to its end.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) async throws -> (status: Int32, text: String, errors: String) {
    let process = try ToolProcess(arguments, environment: environment, input: input)
    let status = await process.status()
    return (status, process.text, process.errors)
  }
}
