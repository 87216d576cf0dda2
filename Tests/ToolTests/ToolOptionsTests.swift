import Foundation
import OffshoreServer
import Testing

@testable import offshore

/// The options from the command line and the environment.
struct ToolOptionsTests {
  private static let needed = ["--data", "d", "--manifest", "m"]

  @Test func `Options come from the command line, else from the environment`() throws {
    let environment = [
      "OFFSHORE_DATA": "other", "OFFSHORE_LISTEN": "[::1]:81",
      "OFFSHORE_TRUSTED_PROXY": "10.0.0.1, 10.0.0.2,::1",
      "OFFSHORE_OPEN_SIGN_UP": "yes", "OFFSHORE_METRICS_TOKEN": "", "OFFSHORE_RETENTION": "7",
    ]
    let options = try ServeOptions(Self.needed, environment: environment)
    #expect(options.apps == [ServeOptions.App(data: "d", manifest: "m")])
    #expect(options.listen.address == "::1" && options.listen.port == 81)
    #expect(options.trustedProxies.count == 3 && options.metricsToken == nil)
    #expect(options.opensSignUp && options.retention == 7)
  }

  @Test func `A list accepts several values, and continues if it is named again`() throws {
    let options = try ServeOptions(
      Self.needed + [
        "--trusted-proxy", "::1", "::2", "--open-sign-up", "no", "--trusted-proxy", "::3",
      ],
      environment: ["OFFSHORE_TRUSTED_PROXY": "::4"])
    #expect(options.trustedProxies == ["::1", "::2", "::3"].compactMap { AddressRange($0) })
    #expect(options.retention == 180)
    #expect(!options.opensSignUp && options.listen.description == "127.0.0.1:8080")
  }

  @Test func `Stored rows are limited if an option says so`() throws {
    let none = try ServeOptions(Self.needed, environment: [:]).storageLimits
    #expect(none.rowsPerScope == nil && none.bytesPerScope == nil)
    #expect(none.rowsPerAccount == nil && none.bytesPerAccount == nil)
    let limits = try ServeOptions(
      Self.needed + [
        "--max-rows-per-scope", "1", "--max-bytes-per-scope", "2", "--max-rows-per-account", "3",
      ],
      environment: ["OFFSHORE_MAX_BYTES_PER_ACCOUNT": "4"]
    ).storageLimits
    #expect(limits.rowsPerScope == 1 && limits.bytesPerScope == 2)
    #expect(limits.rowsPerAccount == 3 && limits.bytesPerAccount == 4)
  }

  @Test func `Blobs are limited, also if no option says so`() throws {
    let usual = try ServeOptions(Self.needed, environment: [:]).blobLimits
    #expect(usual.bytesPerBlob == 64 << 20 && usual.bytesPerAccount == 1 << 30)
    #expect(usual.bytesPerScope == 4 << 30)
    let limits = try ServeOptions(
      Self.needed + ["--max-blob-bytes", "5", "--max-blob-bytes-per-scope", "7"],
      environment: ["OFFSHORE_MAX_BLOB_BYTES_PER_ACCOUNT": "6"]
    ).blobLimits
    #expect(limits.bytesPerBlob == 5 && limits.bytesPerAccount == 6 && limits.bytesPerScope == 7)
  }

  @Test(arguments: [
    (["--data", "d"], "--manifest"), (["--manifest", "m"], "--data"),
    (needed + ["--colour"], "--colour"), (needed + ["x"], "“x”"),
    (needed + ["--listen"], "--listen"),
    (needed + ["--data", "e"], "twice"), (needed + ["--listen", "8080"], "127.0.0.1:8080"),
    (needed + ["--listen", "127.0.0.1:65536"], "65536"), (needed + ["--listen", "::1:80"], "[::]"),
    (needed + ["--open-sign-up", "maybe"], "yes or no"),
    (needed + ["--trusted-proxy", "10.0.0.0/99"], "--trusted-proxy"),
    (needed + ["--tls-key", "k"], "--tls-certificate"),
    (needed + ["--max-rows-per-scope", "0"], "--max-rows-per-scope"),
    (needed + ["--max-bytes-per-account", "1G"], "1G"),
    (needed + ["--max-blob-bytes", "-1"], "--max-blob-bytes"),
    (needed + ["--max-blob-bytes-per-account", "0"], "--max-blob-bytes-per-account"),
    (needed + ["--max-blob-bytes-per-scope", "x"], "--max-blob-bytes-per-scope"),
    (needed + ["--retention", "0"], "--retention"), (needed + ["--retention", "x"], "36500"),
  ])
  func `An invalid option is reported`(arguments: [String], part: String) throws {
    let error = try #require(throws: ToolError.self) {
      try ServeOptions(arguments, environment: [:])
    }
    #expect(error.status == .usage && error.description.contains(part))
    #expect(error.description.contains("--help"))
  }

  @Test func `Several apps have a file each in the data folder`() throws {
    let apps = try ServeOptions(
      ["--data", "d", "--app", "one=1.json", "two-2=a=b.json", "--app", "three=3.json"],
      environment: ["OFFSHORE_APP": "four=4.json"]
    ).apps
    #expect(apps.map(\.name) == ["one", "two-2", "three"])
    #expect(apps.map(\.data) == ["d/one.sqlite", "d/two-2.sqlite", "d/three.sqlite"])
    #expect(apps.map(\.manifest) == ["1.json", "a=b.json", "3.json"])
    let named = try ServeOptions(
      ["--data", "d"], environment: ["OFFSHORE_APP": "four=4.json, five=5.json"])
    #expect(named.apps.map(\.name) == ["four", "five"])
  }

  @Test(arguments: [
    (needed + ["--app", "one=1.json"], "Leave one of them out"),
    (["--app", "one=1.json"], "--data is missing: the folder"),
    (["--data", "d", "--app", "one=1", "one=2"], "two apps"),
    (["--data", "d", "--app", "one"], "packing=packing.json"),
    (["--data", "d", "--app", "One=1"], "lowercase"), (["--data", "d", "--app", "v1=1"], "v1=1"),
    (["--data", "d", "--app", "=1"], "“=1”"), (["--data", "d", "--app", "one="], "“one=”"),
  ])
  func `An app that cannot be served is an error of the command line`(
    arguments: [String], part: String
  ) throws {
    let error = try #require(throws: ToolError.self) {
      try ServeOptions(arguments, environment: [:])
    }
    #expect(error.status == .usage && error.description.contains(part))
  }

  @Test func `The error for an invalid value names the variable`() throws {
    let error = try #require(throws: ToolError.self) {
      try ServeOptions(Self.needed, environment: ["OFFSHORE_LISTEN": "here"])
    }
    #expect(error.description.contains("OFFSHORE_LISTEN"))
  }

  @Test func `A new account may have the id of a lost one, and other commands have no id`() throws {
    let id = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
    let given = ["ida", "--data", "d", "--id"]
    let options = try AccountOptions(given + [id], environment: [:], isAddition: true)
    #expect(options.id?.uuidString == id)
    let usual = try AccountOptions(["ida", "--data", "d"], environment: [:], isAddition: true)
    #expect(usual.id == nil)
    for (text, isAddition, part) in [
      ("7", true, "not “7”"), (id + "0", true, "--id takes"), (id, false, "no option “--id”"),
    ] {
      let error = try #require(throws: ToolError.self) {
        try AccountOptions(given + [text], environment: [:], isAddition: isAddition)
      }
      #expect(error.status == .usage && error.description.contains(part))
    }
  }

  @Test(arguments: [[], ["ida", "ben"], ["x"]])
  func `An account has one name`(operands: [String]) throws {
    let error = try #require(throws: ToolError.self) {
      try AccountOptions(operands + ["--data", "d"], environment: [:])
    }
    #expect(error.status == .usage)
  }
}
