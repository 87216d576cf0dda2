import Foundation
import OffshoreLogging
import Synchronization
import TestSupport

/// A third-party client that encrypts a test's bytes and verifies the server's certificate.
final class TLSClient {
  private let process: TestProcess
  private let (input, output) = (Pipe(), Pipe())
  private var buffer = Data()

  init(port: UInt16, certificate: String, options: [String] = []) throws {
    let arguments = [
      "s_client", "-quiet", "-no_ign_eof", "-connect", "127.0.0.1:\(port)", "-CAfile", certificate,
      "-verify_return_error", "-verify_ip", "127.0.0.1",
    ]
    process = try TestProcess(
      "openssl", arguments + options, input: .pipe(input), output: .pipe(output), errors: .null)
  }

  deinit {
    process.kill()
    process.wait()
  }

  /// Announces the end of the connection to the server, and closes it.
  func close() throws {
    try input.fileHandleForWriting.close()
    process.wait()
  }

  /// - Throws: `EPIPE` if the server has ended the connection, and with it the client.
  func send(_ bytes: [UInt8]) throws {
    try input.fileHandleForWriting.writeWithoutSignal(Data(bytes))
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Reads up to and including a text, or to the end if it does not come.
  func read(through text: String) -> String {
    let mark = Data(text.utf8)
    while true {
      if let range = buffer.firstRange(of: mark) {
        defer { buffer = Data(buffer[range.upperBound...]) }
        return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else {
        defer { buffer = Data() }
        return String(decoding: buffer, as: UTF8.self)
      }
      buffer += more
    }
  }
}
