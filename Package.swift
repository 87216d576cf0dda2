// swift-tools-version: 6.2

import PackageDescription

/// The language mode is Swift 6 throughout; these are the upcoming features on top of it.
let settings: [SwiftSetting] = [
  // `any` is spelled out: an existential is a cost and a choice.
  .enableUpcomingFeature("ExistentialAny"),
  // An import is internal unless the public interface needs it.
  .enableUpcomingFeature("InternalImportsByDefault"),
  // A member is visible only where its module is imported, so imports tell the truth.
  .enableUpcomingFeature("MemberImportVisibility"),
  // An async function runs where its caller runs, unless it says otherwise.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  // A main-actor type conforms on the main actor.
  .enableUpcomingFeature("InferIsolatedConformances"),
  // `weak let` is allowed, and captures of it are constants.
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

let package = Package(
  name: "offshore",
  platforms: [.macOS(.v15), .iOS(.v18)],
  targets: [
    .systemLibrary(
      name: "CCurl",
      path: "Sources/System/CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CMicroHTTPD",
      path: "Sources/System/CMicroHTTPD",
      pkgConfig: "libmicrohttpd",
      providers: [
        .apt(["libmicrohttpd-dev", "libgnutls28-dev"]), .brew(["libmicrohttpd", "gnutls"]),
      ]),
    .systemLibrary(
      name: "CSodium",
      path: "Sources/System/CSodium",
      pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CSQLite",
      path: "Sources/System/CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CZlib",
      path: "Sources/System/CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "TestSupport", dependencies: ["OffshoreLogging"], path: "Tests/Support",
      swiftSettings: settings),
    .target(name: "Offshore", dependencies: ["CSQLite", "OffshoreJSON"], swiftSettings: settings),
    .target(name: "OffshoreHTTP", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
    .target(name: "OffshoreJSON", swiftSettings: settings),
    .target(name: "OffshoreLogging", swiftSettings: settings),
    .target(
      name: "OffshoreServer",
      dependencies: ["CSodium", "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshoreWire"],
      swiftSettings: settings),
    .target(
      name: "OffshoreSync",
      dependencies: ["CCurl", "Offshore", "OffshoreLogging", "OffshoreWire"],
      swiftSettings: settings),
    .target(
      name: "OffshoreWire", dependencies: ["CSodium", "CZlib", "OffshoreJSON"],
      swiftSettings: settings),
    .executableTarget(
      name: "offshore",
      dependencies: [
        "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshoreServer", "OffshoreWire",
      ],
      path: "Sources/Tools/offshore", swiftSettings: settings),
    .executableTarget(
      name: "fault-device",
      dependencies: ["TestSupport", "Offshore", "OffshoreSync", "OffshoreWire"],
      path: "Tests/Faults/Device", swiftSettings: settings),
    .testTarget(
      name: "SyncFaultTests",
      dependencies: [
        "TestSupport", "Offshore", "OffshoreServer", "OffshoreSync", "OffshoreWire",
        "fault-device", "offshore",
      ],
      path: "Tests/Faults/SyncFaultTests", swiftSettings: settings),
    .testTarget(
      name: "AttackTests",
      dependencies: [
        "TestSupport", "Offshore", "OffshoreServer", "OffshoreSync", "OffshoreWire", "offshore",
      ],
      path: "Tests/Attacks", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6])
