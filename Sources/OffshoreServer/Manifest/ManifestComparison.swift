package import OffshoreWire

/// A difference between the manifests of two releases.
package struct ManifestDifference: Hashable, Sendable {
  /// The consequence of a difference.
  package enum Verdict: String, Hashable, Sendable {
    /// Devices of both releases go on as before.
    case safe
    /// Devices of one of the releases notice it, and lose nothing.
    case noticed
    /// A server that has served the former manifest refuses the next one.
    case refused
  }

  /// The part of the manifest, for example `tables.charters.columns.name`.
  package let place: String
  package let verdict: Verdict
  /// The difference and its effect, or the reason for a refusal and its remedy.
  package let message: String

  init(_ verdict: Verdict, _ place: String, _ message: String) {
    self.place = place
    self.verdict = verdict
    self.message = message
  }
}

/// The comparison of a part of two manifests.
protocol PartComparison {
  /// The part of the manifest; see ``ManifestDifference/place``.
  var place: String { get }
}

extension PartComparison {
  func safe(_ message: String) -> ManifestDifference { ManifestDifference(.safe, place, message) }

  func noticed(_ message: String) -> ManifestDifference {
    ManifestDifference(.noticed, place, message)
  }

  func refused(_ message: String) -> ManifestDifference {
    ManifestDifference(.refused, place, message)
  }
}

/// The comparison of the manifest of a release with that of the release before it.
///
/// The server makes it before it serves data under another manifest, and the command `offshore manifest
/// check` before a release.
package struct ManifestComparison {
  let former: Manifest
  let next: Manifest

  /// - Parameters:
  ///   - former: the manifest that devices have.
  ///   - next: the manifest of the next release.
  package init(_ former: Manifest, _ next: Manifest) {
    self.former = former
    self.next = next
  }

  /// All differences: those of tables and of scopes by name, then that of the versions.
  package var differences: [ManifestDifference] {
    tables + ofKinds + ofRules + [version].compactMap(\.self)
  }

  /// Checks that a server which has served the former manifest can serve the next one.
  /// - Throws: `WireError` with the code `invalidManifest`; its message contains all refusals.
  package func check() throws(WireError) {
    let refused = differences.filter { $0.verdict == .refused }
    guard let first = refused.first else { return }
    throw WireError(
      .invalidManifest,
      "The data cannot be served under this manifest. "
        + refused.map { "\($0.place): \($0.message)" }.joined(separator: " "),
      place: first.place)
  }

  private var version: ManifestDifference? {
    if next.version < former.version {
      return ManifestDifference(
        .refused, "version",
        """
        It is \(next.version), and the data has been served under \(former.version). Export the manifest \
        from the newest release of the app.
        """)
    }
    guard next.version == former.version, former.tables != next.tables else { return nil }
    return ManifestDifference(
      .refused, "version",
      "The tables have changed, and the version is still \(former.version). Increase it.")
  }

  // MARK: - Tables

  private var tables: [ManifestDifference] {
    let names = Set(former.tables.map(\.name)).union(next.tables.map(\.name))
    return names.sorted().flatMap { name in
      TableComparison(place: "tables.\(name)", former: former[name], next: next[name]).differences
    }
  }

  // MARK: - Scopes

  private var ofKinds: [ManifestDifference] {
    let kinds = [
      ("claimableKinds", former.claimableKinds, next.claimableKinds),
      ("personalKinds", former.personalKinds, next.personalKinds),
      ("admittingKinds", former.admittingKinds, next.admittingKinds),
    ]
    let limits = [
      ("memberLimits", former.memberLimits, next.memberLimits),
      ("membershipLimits", former.membershipLimits, next.membershipLimits),
    ]
    return kinds.flatMap { place, former, next in
      former.symmetricDifference(next).sorted().map { kind in
        next.contains(kind)
          ? added(kind, place)
          : ManifestDifference(.noticed, "\(place).\(kind)", Self.removed[place] ?? "Removed.")
      }
    }
      + limits.flatMap { place, former, next in
        Set(former.keys).union(next.keys).sorted().filter { former[$0] != next[$0] }.map { kind in
          ManifestDifference(
            .noticed, "\(place).\(kind)",
            """
            The limit was \(former[kind].map(String.init) ?? "none"), and is \
            \(next[kind].map(String.init) ?? "none") for new members. Present members stay.
            """)
        }
      }
  }

  /// Returns the difference of a kind that is new in a list.
  private func added(_ kind: String, _ place: String) -> ManifestDifference {
    guard place == "personalKinds", former.tables.contains(where: { $0.scopeKind == kind }) else {
      return ManifestDifference(.safe, "\(place).\(kind)", "Added.")
    }
    return ManifestDifference(
      .noticed, "\(place).\(kind)",
      "Added. Present members of such scopes stay, and no others join. Choose a new kind instead.")
  }

  private var ofRules: [ManifestDifference] {
    let (former, next) = (Self.rules(of: former), Self.rules(of: next))
    return Set(former.keys).union(next.keys).sorted().filter { former[$0] != next[$0] }
      .map { place in
        let message =
          if former[place] == nil {
            """
            Added. Members read personal scopes of each other that they could not read. Devices of former \
            releases with these tables show the rows of others among those of the user.
            """
          } else if next[place] == nil {
            "Removed. Devices of other accounts remove the rows that they read by it."
          } else {
            "It reads by other rows. Devices of other accounts get or remove rows accordingly."
          }
        return ManifestDifference(.noticed, place, message)
      }
  }

  private static func rules(of manifest: Manifest) -> [String: AccessRule] {
    Dictionary(
      manifest.accessRules.map { ("accessRules.\($0.kind).\($0.sharedKind)", $0) },
      uniquingKeysWith: { first, _ in first })
  }

  private static let removed = [
    "claimableKinds":
      "Removed. Scopes that devices create without permission are refused, with their rows.",
    "personalKinds":
      "Removed. New accounts get no scope of the kind. Those of present accounts stay.",
    "admittingKinds": "Removed. Owners add accounts by invitations only.",
  ]
}
