import Foundation
import OffshoreLogging
import Synchronization

/// A process of the tool, as a person or a service manager starts it.
final class ToolProcess: Sendable {
  private struct Output {
    var text = Data()
    var errors = Data()
    var goal: String?
    var isOver = false
    var waiting: CheckedContinuation<Void, Never>?

    mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
      guard isOver || goal.map({ String(decoding: text, as: UTF8.self).contains($0) }) == true
      else { return nil }
      defer { waiting = nil }
      return waiting
    }
  }

  private let process = Process()
  private let output = Mutex(Output())
  private let ended = DispatchGroup()

  /// Starts the tool.
  /// - Parameter input: what it reads from its standard input.
  init(_ arguments: [String], environment: [String: String] = [:], input: String = "") throws {
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "offshore")
    process.arguments = arguments
    // What the tool does is counted by the coverage of the tests that start it.
    let own = ProcessInfo.processInfo.environment.filter { $0.key == "LLVM_PROFILE_FILE" }
    process.environment = environment.merging(own) { $1 }
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    for _ in 0..<2 { ended.enter() }
    try process.run()
    // A tool that refuses its arguments ends before it reads.
    try? standardInput.fileHandleForWriting.writeWithoutSignal(Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    follow(standardOutput) { $0.text += $1 }
    follow(standardError) { $0.errors += $1 }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var identifier: Int32 { process.processIdentifier }

  /// What it has written to its standard output.
  var text: String { output.withLock { String(decoding: $0.text, as: UTF8.self) } }

  /// What it has written to its standard error.
  var errors: String { output.withLock { String(decoding: $0.errors, as: UTF8.self) } }

  /// Waits until it has written something to its standard output, or has ended.
  func wait(for text: String) async {
    await withCheckedContinuation { continuation in
      output.withLock { output in
        output.goal = text
        output.waiting = continuation
        return output.takeWaiting()
      }?.resume()
    }
  }

  /// Sends it a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its end and returns what it exits with.
  func status() async -> Int32 {
    await withCheckedContinuation { continuation in
      ended.notify(queue: .global()) { continuation.resume() }
    }
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func follow(_ pipe: Pipe, _ take: @escaping @Sendable (inout Output, Data) -> Void) {
    Thread { [self] in
      while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
        output.withLock { output in
          take(&output, data)
          return output.takeWaiting()
        }?.resume()
      }
      output.withLock { output in
        output.isOver = true
        return output.takeWaiting()
      }?.resume()
      ended.leave()
    }.start()
  }
}
