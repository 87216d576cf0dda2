// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "offshore-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "offshore", path: "..")],
  targets: [
    .executableTarget(
      name: "offshore-bench",
      dependencies: [
        .product(name: "Anyfleet", package: "offshore"),
        .product(name: "MessAI", package: "offshore"),
        .product(name: "Offshore", package: "offshore"),
        .product(name: "OffshoreCalendar", package: "offshore"),
        .product(name: "OffshoreFiles", package: "offshore"),
        .product(name: "OffshoreHTTP", package: "offshore"),
        .product(name: "OffshoreLogging", package: "offshore"),
        .product(name: "OffshorePresentation", package: "offshore"),
        .product(name: "OffshoreServer", package: "offshore"),
        .product(name: "OffshoreSync", package: "offshore"),
        .product(name: "OffshoreWire", package: "offshore"),
        .product(name: "ShiftScheduler", package: "offshore"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
      ])
  ],
  swiftLanguageModes: [.v6])
