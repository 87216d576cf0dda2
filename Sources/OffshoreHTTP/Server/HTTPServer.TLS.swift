import CMicroHTTPD

extension HTTPServer {
  /// The certificate and key for encrypted connections, by TLS 1.2 or 1.3.
  ///
  /// A renewed certificate requires a new server.
  public struct TLS: Sendable {
    /// The server's certificate followed by its issuers' certificates, in PEM.
    public let certificates: String
    /// The private key of the certificate, in PEM.
    public let key: String

    /// Checks a certificate and its key.
    /// - Throws: ``HTTPServerError`` with the code `certificateInvalid` if they cannot be parsed,
    ///   or do not match.
    public init(certificates: String, key: String) throws {
      self.certificates = certificates
      self.key = key
      let fits = certificates.withCString { certificates in
        key.withCString { key in
          offshore_tls_fits(offshore_mhd_tls(certificates: certificates, key: key)) != 0
        }
      }
      guard fits else {
        throw HTTPServerError(
          .certificateInvalid,
          "Certificate and key are not in PEM, or not of each other. Take both from one issue.")
      }
    }
  }
}
