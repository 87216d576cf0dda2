import Foundation
import OffshoreLogging

/// A program of the system that is run to its end.
struct Command {
  private let arguments: [String]
  private let input: String

  init(_ arguments: String..., input: String = "") {
    self.arguments = arguments
    self.input = input
  }

  func run() throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = FileHandle.nullDevice
    try process.run()
    try? standardInput.fileHandleForWriting.writeWithoutSignal(Data(input.utf8))
    let data = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
