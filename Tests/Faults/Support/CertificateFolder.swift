import Foundation

/// A folder with a certificate for this machine that is removed with the object.
package final class CertificateFolder: Sendable {
  private let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "offshore-tls-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(
        separator: " "
      ).map(String.init) + [
        "-keyout", key, "-out", certificate, "-subj", "/CN=localhost", "-addext",
        "subjectAltName=IP:127.0.0.1",
      ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of the certificate, which vouches for itself.
  package var certificate: String { "\(path)/certificate.pem" }
  package var key: String { "\(path)/key.pem" }

  /// What a file says.
  package func text(_ file: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
  }
}
