import OffshoreServer

/// What `offshore serve` is asked for.
struct ServeOptions {
  let data: String
  let manifest: String
  let listen: ListenAddress
  let opensSignUp: Bool
  let trustedProxies: [AddressRange]
  /// For how many days tombstones are kept.
  let retention: Int64
  /// The file of the token by which metrics are read.
  let metricsToken: String?
  /// The files of certificate and key.
  let tls: (certificate: String, key: String)?

  static let options = [
    ToolOptions.Option("--data", "OFFSHORE_DATA"),
    ToolOptions.Option("--manifest", "OFFSHORE_MANIFEST"),
    ToolOptions.Option("--listen", "OFFSHORE_LISTEN"),
    ToolOptions.Option("--open-sign-up", "OFFSHORE_OPEN_SIGN_UP"),
    ToolOptions.Option("--trusted-proxy", "OFFSHORE_TRUSTED_PROXY", isList: true),
    ToolOptions.Option("--retention", "OFFSHORE_RETENTION"),
    ToolOptions.Option("--metrics-token", "OFFSHORE_METRICS_TOKEN"),
    ToolOptions.Option("--tls-certificate", "OFFSHORE_TLS_CERTIFICATE"),
    ToolOptions.Option("--tls-key", "OFFSHORE_TLS_KEY"),
  ]

  /// Reads what is asked for.
  /// - Throws: ``ToolError`` for what is missing or cannot be.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, Self.options, environment: environment)
    if let extra = options.operands.first { throw .usage("“\(extra)” is no option of serve.") }
    data = try options.required("--data", "the file that everything is kept in")
    manifest = try options.required("--manifest", "the file that says what the app syncs")
    let address = options.value("--listen") ?? "127.0.0.1:8080"
    guard let listen = ListenAddress(address) else {
      throw .usage(
        """
        \(options.source(of: "--listen")) takes a numeric address and a port, as 127.0.0.1:8080 or \
        [::]:8080, not “\(address)”.
        """)
    }
    self.listen = listen
    opensSignUp = try options.flag("--open-sign-up") ?? false
    trustedProxies = try options.all("--trusted-proxy").map { text throws(ToolError) in
      guard let range = AddressRange(text) else {
        throw .usage(
          "\(options.source(of: "--trusted-proxy")) takes addresses, as 10.0.0.1 or 10.0.0.0/8.")
      }
      return range
    }
    guard let days = Int64(options.value("--retention") ?? "180"), 1...36_500 ~= days else {
      throw .usage("\(options.source(of: "--retention")) takes a number of days, 1 to 36500.")
    }
    retention = days
    metricsToken = options.value("--metrics-token")
    switch (options.value("--tls-certificate"), options.value("--tls-key")) {
    case (let certificate?, let key?): tls = (certificate, key)
    case (nil, nil): tls = nil
    default: throw .usage("--tls-certificate and --tls-key go together.")
    }
  }
}
