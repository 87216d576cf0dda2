import CMicroHTTPD

extension HTTPServer {
  /// What connections are encrypted with, by TLS 1.2 or 1.3.
  ///
  /// A certificate that is renewed takes another server.
  public struct TLS: Sendable {
    /// The server's certificate and then those that vouch for it, in PEM.
    public let certificates: String
    /// The key of the certificate, in PEM.
    public let key: String

    /// Takes a certificate and its key.
    /// - Throws: ``HTTPServerError`` with the code `certificateInvalid` where they are none, or not of
    ///   each other.
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
