import OffshoreServer

/// The options of `offshore serve`.
struct ServeOptions {
  /// The apps to serve. A single app without a name is served at the root.
  let apps: [App]
  let listen: ListenAddress
  let opensSignUp: Bool
  let trustedProxies: [AddressRange]
  /// The lifetime of tombstones in days.
  let retention: Int64
  /// The limits of stored rows.
  let storageLimits: StorageLimits
  /// The limits of stored blobs.
  let blobLimits: BlobLimits
  /// The file with the token for reading metrics.
  let metricsToken: String?
  /// The files of the certificate and its key.
  let tls: (certificate: String, key: String)?

  /// An app to serve.
  struct App: Equatable {
    /// The name of the app, below which it is served, or `nil` for the root.
    var name: String?
    /// The file of its data.
    let data: String
    /// The file of its manifest.
    let manifest: String
  }

  static let options = [
    ToolOptions.Option("--app", "OFFSHORE_APP", isList: true),
    ToolOptions.Option("--data", "OFFSHORE_DATA"),
    ToolOptions.Option("--manifest", "OFFSHORE_MANIFEST"),
    ToolOptions.Option("--listen", "OFFSHORE_LISTEN"),
    ToolOptions.Option("--open-sign-up", "OFFSHORE_OPEN_SIGN_UP"),
    ToolOptions.Option("--trusted-proxy", "OFFSHORE_TRUSTED_PROXY", isList: true),
    ToolOptions.Option("--retention", "OFFSHORE_RETENTION"),
    ToolOptions.Option("--max-rows-per-scope", "OFFSHORE_MAX_ROWS_PER_SCOPE"),
    ToolOptions.Option("--max-bytes-per-scope", "OFFSHORE_MAX_BYTES_PER_SCOPE"),
    ToolOptions.Option("--max-rows-per-account", "OFFSHORE_MAX_ROWS_PER_ACCOUNT"),
    ToolOptions.Option("--max-bytes-per-account", "OFFSHORE_MAX_BYTES_PER_ACCOUNT"),
    ToolOptions.Option("--max-blob-bytes", "OFFSHORE_MAX_BLOB_BYTES"),
    ToolOptions.Option("--max-blob-bytes-per-account", "OFFSHORE_MAX_BLOB_BYTES_PER_ACCOUNT"),
    ToolOptions.Option("--max-blob-bytes-per-scope", "OFFSHORE_MAX_BLOB_BYTES_PER_SCOPE"),
    ToolOptions.Option("--metrics-token", "OFFSHORE_METRICS_TOKEN"),
    ToolOptions.Option("--tls-certificate", "OFFSHORE_TLS_CERTIFICATE"),
    ToolOptions.Option("--tls-key", "OFFSHORE_TLS_KEY"),
  ]

  /// Parses the options.
  /// - Throws: ``ToolError`` if an option is missing or invalid.
  init(_ arguments: [String], environment: [String: String]) throws(ToolError) {
    let options = try ToolOptions(arguments, Self.options, environment: environment)
    if let extra = options.operands.first { throw .usage("“\(extra)” is no option of serve.") }
    apps = try Self.apps(options)
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
    storageLimits = StorageLimits(
      rowsPerScope: try Self.limit("--max-rows-per-scope", options),
      bytesPerScope: try Self.limit("--max-bytes-per-scope", options),
      rowsPerAccount: try Self.limit("--max-rows-per-account", options),
      bytesPerAccount: try Self.limit("--max-bytes-per-account", options))
    blobLimits = try Self.blobLimits(options)
    metricsToken = options.value("--metrics-token")
    switch (options.value("--tls-certificate"), options.value("--tls-key")) {
    case (let certificate?, let key?): tls = (certificate, key)
    case (nil, nil): tls = nil
    default: throw .usage("--tls-certificate and --tls-key go together.")
    }
  }

  /// Returns the number of an option, or `nil` if it is not given.
  private static func limit(_ name: String, _ options: ToolOptions) throws(ToolError) -> Int64? {
    guard let text = options.value(name) else { return nil }
    guard let number = Int64(text), number > 0 else {
      throw .usage("\(options.source(of: name)) takes a number from 1 on, not “\(text)”.")
    }
    return number
  }

  /// Returns the limits of blobs, by default those of a server.
  private static func blobLimits(_ options: ToolOptions) throws(ToolError) -> BlobLimits {
    var limits = BlobLimits()
    if let bytes = try limit("--max-blob-bytes", options) { limits.bytesPerBlob = bytes }
    if let bytes = try limit("--max-blob-bytes-per-account", options) {
      limits.bytesPerAccount = bytes
    }
    if let bytes = try limit("--max-blob-bytes-per-scope", options) { limits.bytesPerScope = bytes }
    return limits
  }

  /// Returns the apps of `--app`, or the single one of `--manifest`.
  private static func apps(_ options: ToolOptions) throws(ToolError) -> [App] {
    let (named, manifest) = (options.all("--app"), options.value("--manifest"))
    guard !named.isEmpty else {
      let data = try options.required("--data", "the file of all data")
      guard let manifest else {
        throw .usage(
          "--manifest is missing: the file with the synced tables of the app. "
            + "For several apps name each by --app NAME=MANIFEST.")
      }
      return [App(data: data, manifest: manifest)]
    }
    guard manifest == nil else {
      throw .usage("--manifest is for one app, and --app for several. Leave one of them out.")
    }
    let folder = try options.required("--data", "the folder of the files of all apps")
    let apps = try named.map { text throws(ToolError) in
      try app(text, in: folder, from: options.source(of: "--app"))
    }
    let names = apps.compactMap(\.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw .usage("There are two apps with the name “\(twice)”. Rename one.")
    }
    return apps
  }

  private static func app(
    _ text: String, in folder: String, from source: String
  ) throws(ToolError) -> App {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, AppServers.isValidName(parts[0]) else {
      throw .usage(
        """
        \(source) takes a name of lowercase letters, digits and hyphens and the file of a manifest, as \
        packing=packing.json, not “\(text)”.
        """)
    }
    return App(name: parts[0], data: "\(folder)/\(parts[0]).sqlite", manifest: parts[1])
  }
}

/// The address that a server listens at: a numeric address and a port, such as `127.0.0.1:8080` or
/// `[::1]:8080`.
struct ListenAddress: Equatable, CustomStringConvertible {
  let address: String
  var port: UInt16

  /// Parses an address and a port, without checking that the address is one of this machine.
  /// - Returns: `nil` for any other text.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    self.port = port
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      address = String(host.dropFirst().dropLast())
    } else {
      guard !host.contains(":") else { return nil }
      address = String(host)
    }
    guard !address.isEmpty else { return nil }
  }

  /// The parsed text.
  var description: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
