package import Foundation
// Tests use the members of its types without an import of their own.
@_exported public import OffshoreProcesses

/// A program that a test starts, with pipes as its standard files.
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

  private let process: ChildProcess
  /// The pipes stay open while this object exists, even if only one end is in use.
  private let files: [StandardFile]

  /// Starts a program.
  /// - Parameters:
  ///   - program: its path, or a name that is found by the variable `PATH` of this process.
  ///   - environment: its variables, or `nil` for those of this process.
  ///   - folder: its working folder, or `nil` for that of this process.
  /// - Throws: `ChildProcess.StartError`.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String]? = nil,
    folder: String? = nil, input: StandardFile = .inherited, output: StandardFile = .inherited,
    errors: StandardFile = .inherited
  ) throws {
    files = [input, output, errors]
    let ends = zip(STDIN_FILENO..., files).map { $1.end($0) }
    defer { for end in ends { try? end?.close() } }
    let descriptors = zip(files, ends).map { $0.descriptor(of: $1) }
    process = try ChildProcess(
      program, arguments, environment: environment?.map { "\($0.key)=\($0.value)" },
      folder: folder, input: descriptors[0], output: descriptors[1], errors: descriptors[2])
  }

  /// The identifier of the process.
  package var identifier: Int32 { process.identifier }

  /// Whether the process still runs.
  package var isRunning: Bool { process.isRunning }

  /// Sends a signal to the process, if it still runs.
  package func signal(_ number: Int32) { process.signal(number) }

  /// Asks the process to end, by `SIGTERM`.
  package func terminate() { process.signal(SIGTERM) }

  /// Kills the process by `SIGKILL`, if it still runs.
  package func kill() { process.kill() }

  /// Waits for the end of the process. It blocks the thread.
  @discardableResult
  package func wait() -> ChildProcess.Status { process.wait() }
}

extension TestProcess.StandardFile {
  /// The program's end of a pipe.
  fileprivate func end(_ number: Int32) -> FileHandle? {
    guard case .pipe(let pipe) = self else { return nil }
    return number == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
  }

  /// - Parameter end: the program's end of a pipe.
  fileprivate func descriptor(of end: FileHandle?) -> ChildProcess.StandardFile {
    if let end { return .file(end.fileDescriptor) }
    return if case .null = self { .null } else { .inherited }
  }
}
