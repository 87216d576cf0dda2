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
  products: [
    "Anyfleet", "MessAI", "MessAIWeb", "Offshore", "OffshoreCalendar", "OffshoreFiles",
    "OffshoreHTTP", "OffshoreHost", "OffshoreImages", "OffshoreLogging", "OffshorePages",
    "OffshorePresentation", "OffshorePresentationTesting", "OffshoreServer", "OffshoreSync",
    "OffshoreTesting", "OffshoreWeb", "OffshoreWire", "ShiftScheduler", "ShiftSchedulerWeb",
  ].map { .library(name: $0, targets: [$0]) }
    + ["offshore", "offshore-apps", "offshore-image", "packing-list"].map {
      .executable(name: $0, targets: [$0])
    },
  targets: [
    // MARK: System libraries
    .systemLibrary(
      name: "CCurl",
      path: "Sources/System/CCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CJPEG",
      path: "Sources/System/CJPEG",
      pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg62-turbo-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CLCMS",
      path: "Sources/System/CLCMS",
      pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    .systemLibrary(
      name: "CMicroHTTPD",
      path: "Sources/System/CMicroHTTPD",
      pkgConfig: "libmicrohttpd",
      providers: [
        .apt(["libmicrohttpd-dev", "libgnutls28-dev"]), .brew(["libmicrohttpd", "gnutls"]),
      ]),
    .systemLibrary(name: "CPixels", path: "Sources/System/CPixels"),
    .systemLibrary(
      name: "CPNG",
      path: "Sources/System/CPNG",
      pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CQREncode",
      path: "Sources/System/CQREncode",
      pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .systemLibrary(name: "CSandbox", path: "Sources/System/CSandbox"),
    .systemLibrary(
      name: "CSodium",
      path: "Sources/System/CSodium",
      pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(name: "CSpawn", path: "Sources/System/CSpawn"),
    .systemLibrary(
      name: "CSQLite",
      path: "Sources/System/CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CWebP",
      path: "Sources/System/CWebP",
      pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CZlib",
      path: "Sources/System/CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

    // MARK: Tests' own
    .target(
      name: "TestSupport", dependencies: ["OffshoreLogging", "OffshoreProcesses"],
      path: "Tests/Support", swiftSettings: settings),

    .target(
      name: "ServerSupport",
      dependencies: ["OffshoreHTTP", "OffshoreServer", "OffshoreWire", "TestSupport"],
      path: "Tests/ServerSupport", swiftSettings: settings),

    // MARK: Modules
    .target(
      name: "Offshore", dependencies: ["CSQLite", "OffshoreFileAccess", "OffshoreJSON"],
      swiftSettings: settings),
    .testTarget(
      name: "OffshoreTests",
      dependencies: ["Offshore", "OffshoreJSON", "OffshoreTesting", "CSQLite", "TestSupport"],
      swiftSettings: settings),
    .target(name: "OffshoreCalendar", swiftSettings: settings),
    .testTarget(
      name: "OffshoreCalendarTests", dependencies: ["OffshoreCalendar", "TestSupport"],
      swiftSettings: settings),
    .target(name: "OffshoreFileAccess", swiftSettings: settings),
    .testTarget(
      name: "OffshoreFileAccessTests", dependencies: ["OffshoreFileAccess", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "OffshoreFiles", dependencies: ["Offshore", "OffshoreFileAccess", "OffshoreJSON"],
      swiftSettings: settings),
    .testTarget(
      name: "OffshoreFilesTests",
      dependencies: [
        "OffshoreFiles", "Offshore", "OffshoreFileAccess", "TestSupport", "fault-files",
      ],
      swiftSettings: settings),
    .target(name: "OffshoreHTTP", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
    .testTarget(
      name: "OffshoreHTTPTests", dependencies: ["OffshoreHTTP", "OffshoreLogging", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "OffshoreHost",
      dependencies: [
        "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshorePages", "OffshorePresentation",
        "OffshoreProcesses", "OffshoreSync", "OffshoreWeb", "OffshoreWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OffshoreHostTests",
      dependencies: [
        "OffshoreHost", "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshorePages",
        "OffshorePresentation", "OffshoreServer", "OffshoreSync", "OffshoreWeb", "OffshoreWire",
        "TestSupport",
      ],
      swiftSettings: settings),
    .target(name: "OffshoreImages", dependencies: ["OffshoreProcesses"], swiftSettings: settings),
    .testTarget(
      name: "OffshoreImagesTests",
      dependencies: [
        "CLCMS", "CZlib", "OffshoreImages", "TestSupport", "offshore-image",
      ],
      swiftSettings: settings),
    .target(name: "OffshoreJSON", swiftSettings: settings),
    .testTarget(
      name: "OffshoreJSONTests", dependencies: ["OffshoreJSON", "TestSupport"],
      swiftSettings: settings),
    .target(name: "OffshoreLogging", swiftSettings: settings),
    .testTarget(
      name: "OffshoreLoggingTests", dependencies: ["OffshoreLogging", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "OffshorePages",
      dependencies: [
        "Offshore", "OffshoreCalendar", "OffshoreFiles", "OffshoreHTTP", "OffshoreImages",
        "OffshorePresentation", "OffshoreSync", "OffshoreWeb", "OffshoreWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OffshorePagesTests",
      dependencies: [
        "OffshorePages", "Offshore", "OffshoreCalendar", "OffshoreFiles", "OffshoreHTTP",
        "OffshoreLogging", "OffshorePresentation", "OffshoreServer", "OffshoreSync", "OffshoreWeb",
        "OffshoreWire", "ServerSupport", "TestSupport",
      ],
      swiftSettings: settings),
    .target(
      name: "OffshorePresentation",
      dependencies: [
        "Offshore", "OffshoreCalendar", "OffshoreFiles", "OffshoreImages", "OffshoreLogging",
        "OffshoreSync", "OffshoreWire",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OffshorePresentationTests",
      dependencies: [
        "OffshorePresentation", "Offshore", "OffshoreCalendar", "OffshoreFiles", "OffshoreHTTP",
        "OffshoreImages", "OffshoreLogging", "OffshorePresentationTesting", "OffshoreServer",
        "OffshoreSync", "OffshoreWire", "ServerSupport", "TestSupport",
      ],
      swiftSettings: settings),
    .target(
      name: "OffshorePresentationTesting", dependencies: ["OffshorePresentation"],
      swiftSettings: settings),
    .testTarget(
      name: "OffshorePresentationTestingTests",
      dependencies: ["OffshorePresentationTesting", "OffshorePresentation", "TestSupport"],
      swiftSettings: settings),
    .target(name: "OffshoreProcesses", dependencies: ["CSpawn"], swiftSettings: settings),
    .testTarget(
      name: "OffshoreProcessesTests", dependencies: ["OffshoreProcesses", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "OffshoreServer",
      dependencies: ["CSodium", "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshoreWire"],
      swiftSettings: settings),
    .testTarget(
      name: "OffshoreServerTests",
      dependencies: [
        "OffshoreServer", "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshoreTesting",
        "OffshoreWire", "ServerSupport", "TestSupport",
      ],
      swiftSettings: settings),
    .target(
      name: "OffshoreSync",
      dependencies: ["CCurl", "Offshore", "OffshoreLogging", "OffshoreWire"],
      swiftSettings: settings),
    .testTarget(
      name: "OffshoreSyncTests",
      dependencies: [
        "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshoreServer", "OffshoreSync",
        "OffshoreWire", "ServerSupport", "TestSupport",
      ],
      swiftSettings: settings),
    .target(name: "OffshoreTesting", dependencies: ["Offshore"], swiftSettings: settings),
    .testTarget(
      name: "OffshoreTestingTests", dependencies: ["OffshoreTesting", "Offshore", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "OffshoreWeb", dependencies: ["CQREncode", "OffshoreHTTP", "OffshoreJSON"],
      resources: [
        "patch.js", "forms.js", "kept.js", "places.js", "live.js", "look.css", "rows.css",
        "forms.css", "parts.css", "things.css", "windows.css", "calendar.css", "calendar.js",
      ].map { .embedInCode("Assets/\($0)") },
      swiftSettings: settings),
    .testTarget(
      name: "OffshoreWebTests", dependencies: ["OffshoreWeb", "OffshoreHTTP", "TestSupport"],
      swiftSettings: settings),
    .target(
      name: "OffshoreWire", dependencies: ["CSodium", "CZlib", "OffshoreJSON"],
      swiftSettings: settings),
    .testTarget(
      name: "OffshoreWireTests", dependencies: ["OffshoreJSON", "OffshoreWire", "TestSupport"],
      swiftSettings: settings),

    // MARK: Tools
    .executableTarget(
      name: "offshore",
      dependencies: [
        "Offshore", "OffshoreFileAccess", "OffshoreHTTP", "OffshoreLogging", "OffshoreServer",
        "OffshoreSync", "OffshoreWire",
      ],
      path: "Sources/Tools/offshore", swiftSettings: settings),
    .executableTarget(
      name: "offshore-image",
      dependencies: ["CJPEG", "CLCMS", "CPNG", "CPixels", "CSandbox", "CWebP", "OffshoreImages"],
      path: "Sources/Tools/offshore-image", swiftSettings: settings),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "offshore", "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshoreServer", "OffshoreSync",
        "OffshoreWire", "TestSupport",
      ],
      swiftSettings: settings),

    // MARK: Apps
    .target(
      name: "Anyfleet",
      dependencies: [
        "Offshore", "OffshoreCalendar", "OffshoreJSON", "OffshoreLogging", "OffshorePresentation",
        "OffshoreSync", "OffshoreWire",
      ],
      path: "Apps/Anyfleet/Core", swiftSettings: settings),
    .target(
      name: "AnyfleetWeb",
      dependencies: [
        "Anyfleet", "OffshoreCalendar", "OffshoreHTTP", "OffshoreHost", "OffshorePages",
        "OffshorePresentation", "OffshoreSync", "OffshoreWeb", "OffshoreWire",
      ],
      path: "Apps/Anyfleet/Web", resources: [.embedInCode("Assets/charters.css")],
      swiftSettings: settings),
    .target(
      name: "AnyfleetTestSupport",
      dependencies: [
        "Anyfleet", "Offshore", "OffshorePresentation", "OffshoreServer", "OffshoreSync",
        "OffshoreWire", "ServerSupport", "TestSupport",
      ],
      path: "Apps/Anyfleet/Tests/Support", swiftSettings: settings),
    .testTarget(
      name: "AnyfleetTests",
      dependencies: [
        "Anyfleet", "AnyfleetTestSupport", "Offshore", "OffshoreCalendar", "OffshoreHTTP",
        "OffshoreJSON", "OffshoreLogging", "OffshorePresentation", "OffshoreServer",
        "OffshoreSync", "OffshoreTesting", "OffshoreWire", "ServerSupport", "TestSupport",
      ],
      path: "Apps/Anyfleet/Tests/Core", swiftSettings: settings),
    .testTarget(
      name: "AnyfleetWebTests",
      dependencies: [
        "Anyfleet", "AnyfleetTestSupport", "AnyfleetWeb", "Offshore", "OffshoreHTTP",
        "OffshorePages", "OffshorePresentation", "OffshoreSync", "OffshoreWeb", "OffshoreWire",
        "ServerSupport", "TestSupport",
      ],
      path: "Apps/Anyfleet/Tests/Web", exclude: ["Snapshots"], swiftSettings: settings),
    .target(
      name: "MessAI",
      dependencies: [
        "Offshore", "OffshoreImages", "OffshoreLogging", "OffshorePresentation", "OffshoreSync",
        "OffshoreWire",
      ],
      path: "Apps/MessAI/Core", swiftSettings: settings),
    .target(
      name: "MessAIWeb",
      dependencies: [
        "MessAI", "Offshore", "OffshoreHTTP", "OffshoreHost", "OffshorePages",
        "OffshorePresentation", "OffshoreSync", "OffshoreWeb", "OffshoreWire",
      ],
      path: "Apps/MessAI/Web", resources: [.embedInCode("Assets/chat.css")],
      swiftSettings: settings),
    .testTarget(
      name: "MessAITests",
      dependencies: [
        "MessAI", "Offshore", "OffshoreHTTP", "OffshoreLogging", "OffshorePresentation",
        "OffshoreServer", "OffshoreSync", "OffshoreTesting", "OffshoreWire", "ServerSupport",
        "TestSupport",
      ],
      path: "Apps/MessAI/Tests/Core", swiftSettings: settings),
    .testTarget(
      name: "MessAIOutsideTests",
      dependencies: [
        "MessAI", "OffshoreHTTP", "OffshorePresentation", "OffshoreServer", "OffshoreSync",
      ],
      path: "Apps/MessAI/Tests/Outside", packageAccess: false, swiftSettings: settings),
    .testTarget(
      name: "MessAIWebTests",
      dependencies: [
        "MessAI", "MessAIWeb", "Offshore", "OffshoreHTTP", "OffshoreHost", "OffshoreImages",
        "OffshorePages", "OffshorePresentation", "OffshoreServer", "OffshoreSync", "OffshoreWeb",
        "OffshoreWire", "ServerSupport", "TestSupport", "offshore-image",
      ],
      path: "Apps/MessAI/Tests/Web", swiftSettings: settings),
    .target(
      name: "ShiftScheduler",
      dependencies: [
        "Offshore", "OffshoreCalendar", "OffshoreFiles", "OffshorePresentation", "OffshoreSync",
        "OffshoreWire",
      ],
      path: "Apps/ShiftScheduler/Core", swiftSettings: settings),
    .target(
      name: "ShiftSchedulerWeb",
      dependencies: [
        "ShiftScheduler", "Offshore", "OffshoreCalendar", "OffshoreFiles", "OffshoreHTTP",
        "OffshoreHost", "OffshorePages", "OffshorePresentation", "OffshoreSync", "OffshoreWeb",
      ],
      path: "Apps/ShiftScheduler/Web", resources: [.embedInCode("Assets/shifts.css")],
      swiftSettings: settings),
    .testTarget(
      name: "ShiftSchedulerTests",
      dependencies: [
        "ShiftScheduler", "Offshore", "OffshoreCalendar", "OffshoreFiles", "OffshorePresentation",
        "OffshorePresentationTesting", "OffshoreServer", "OffshoreSync", "OffshoreTesting",
        "OffshoreWire", "ServerSupport", "TestSupport", "fault-shifts",
      ],
      path: "Apps/ShiftScheduler/Tests/Core", swiftSettings: settings),
    .testTarget(
      name: "ShiftSchedulerWebTests",
      dependencies: [
        "ShiftScheduler", "ShiftSchedulerWeb", "Offshore", "OffshoreCalendar", "OffshoreFiles",
        "OffshoreHTTP", "OffshoreHost", "OffshorePages", "OffshorePresentation", "OffshoreServer",
        "OffshoreSync", "OffshoreWeb", "OffshoreWire", "ServerSupport", "TestSupport",
      ],
      path: "Apps/ShiftScheduler/Tests/Web", swiftSettings: settings),
    .executableTarget(
      name: "offshore-apps",
      dependencies: [
        "Anyfleet", "AnyfleetWeb", "MessAI", "MessAIWeb", "Offshore", "OffshoreCalendar",
        "OffshoreFileAccess", "OffshoreFiles", "OffshoreHTTP", "OffshoreHost", "OffshorePages",
        "OffshorePresentation", "OffshoreServer", "OffshoreSync", "OffshoreWeb", "OffshoreWire",
        "ShiftScheduler", "ShiftSchedulerWeb",
      ],
      path: "Apps/Dock", exclude: ["Tests"], resources: [.embedInCode("Assets/dock.css")],
      swiftSettings: settings),
    .testTarget(
      name: "DockTests",
      dependencies: [
        "Anyfleet", "AnyfleetTestSupport", "AnyfleetWeb", "MessAI", "OffshoreTesting",
        "ShiftScheduler", "TestSupport", "offshore-apps", "Offshore", "OffshoreCalendar",
        "OffshoreHTTP", "OffshoreHost", "OffshoreLogging", "OffshorePresentation", "OffshoreServer",
        "OffshoreSync", "OffshoreWire",
      ],
      path: "Apps/Dock/Tests", swiftSettings: settings),

    // MARK: Examples
    .executableTarget(
      name: "packing-list",
      dependencies: [
        "Offshore", "OffshoreHost", "OffshoreHTTP", "OffshorePages", "OffshorePresentation",
        "OffshoreSync", "OffshoreWeb", "OffshoreWire",
      ],
      path: "Examples/PackingList", exclude: ["Tests"], swiftSettings: settings),
    .testTarget(
      name: "PackingListTests",
      dependencies: [
        "packing-list", "Offshore", "OffshoreHost", "OffshoreHTTP", "OffshorePages",
        "OffshorePresentation", "OffshoreSync", "OffshoreWeb", "OffshoreWire", "ServerSupport",
        "TestSupport",
      ],
      path: "Examples/PackingList/Tests", swiftSettings: settings),

    // MARK: Faults
    .executableTarget(
      name: "fault-device",
      dependencies: ["TestSupport", "Offshore", "OffshoreSync", "OffshoreWire"],
      path: "Tests/Faults/Device", swiftSettings: settings),
    .executableTarget(
      name: "fault-files", dependencies: ["OffshoreFiles"], path: "Tests/Faults/Files",
      swiftSettings: settings),
    .executableTarget(
      name: "fault-messages",
      dependencies: [
        "MessAI", "TestSupport", "Offshore", "OffshorePresentation", "OffshoreSync", "OffshoreWire",
      ],
      path: "Tests/Faults/Messages", swiftSettings: settings),
    .executableTarget(
      name: "fault-shifts", dependencies: ["ShiftScheduler", "OffshoreCalendar", "OffshoreFiles"],
      path: "Tests/Faults/Shifts", swiftSettings: settings),
    .executableTarget(
      name: "fault-writer", dependencies: ["Offshore", "OffshoreSync"],
      path: "Tests/Faults/Writer", swiftSettings: settings),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "Anyfleet", "MessAI", "TestSupport", "Offshore", "OffshoreServer", "OffshoreSync",
        "OffshoreWire", "fault-messages", "fault-writer", "offshore", "offshore-apps",
      ],
      path: "Tests/Faults/FaultTests", swiftSettings: settings),
    .testTarget(
      name: "SyncFaultTests",
      dependencies: [
        "TestSupport", "Offshore", "OffshoreServer", "OffshoreSync", "OffshoreWire",
        "fault-device", "offshore",
      ],
      path: "Tests/Faults/SyncFaultTests", swiftSettings: settings),

    // MARK: Attacks
    .testTarget(
      name: "AttackTests",
      dependencies: [
        "TestSupport", "Offshore", "OffshoreServer", "OffshoreSync", "OffshoreWire", "fault-device",
        "offshore",
      ],
      path: "Tests/Attacks", swiftSettings: settings),

    // MARK: Simulator
    .target(
      name: "OffshoreSimulator",
      dependencies: [
        "Offshore", "OffshoreHTTP", "OffshoreServer", "OffshoreSync", "OffshoreWire",
        "ServerSupport", "TestSupport",
      ],
      path: "Tests/Simulator/Simulator", swiftSettings: settings),
    .executableTarget(
      name: "simulate", dependencies: ["OffshoreSimulator"], path: "Tests/Simulator/Command",
      swiftSettings: settings),
    .testTarget(
      name: "SimulatorTests",
      dependencies: [
        "Offshore", "OffshoreServer", "OffshoreSimulator", "OffshoreSync", "OffshoreWire",
        "ServerSupport", "TestSupport",
      ],
      path: "Tests/Simulator/SimulatorTests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6])
