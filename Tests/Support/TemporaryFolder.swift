import Foundation

/// A folder that is created empty for one test, and removed with the object.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "offshore-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { path + "/" + name }
}

/// A folder that is removed with the object unless the variable `OFFSHORE_KEEP` is set, so that the
/// files of a failed test can be inspected.
package final class FaultFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "offshore-faults-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    guard ProcessInfo.processInfo.environment["OFFSHORE_KEEP"] == nil else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  package func file(_ name: String) -> String { path + "/" + name }
}

/// A folder with a self-signed certificate for this machine, and its key.
package final class CertificateFolder: Sendable {
  private let folder: FaultFolder

  package init() throws {
    folder = try FaultFolder()
    let arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-days", "2", "-keyout", key, "-out", certificate, "-subj", "/CN=localhost", "-addext",
      "subjectAltName=IP:127.0.0.1",
    ]
    try TestProcess("openssl", arguments, errors: .null).wait()
  }

  /// The path of the certificate.
  package var certificate: String { folder.file("certificate.pem") }
  /// The path of the key.
  package var key: String { folder.file("key.pem") }

  /// Returns the text of a file.
  package func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
  }
}
