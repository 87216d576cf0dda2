/// The check for contradictions in the access rules of a manifest, which reports the first.
struct AccessRuleValidation {
  let manifest: Manifest

  func validate() throws(WireError) {
    guard manifest.accessRules.count <= WireLimits.accessRules else {
      throw WireError(
        .invalidManifest, "There are more than \(WireLimits.accessRules) rules. Merge some.",
        place: "accessRules")
    }
    var seen: Set<[String]> = []
    for rule in manifest.accessRules {
      guard seen.insert([rule.kind, rule.sharedKind]).inserted else {
        throw failure(
          rule, "Two rules are for these kinds. Name all choices by which they read in one rule.")
      }
      try checkKinds(of: rule)
      try checkLimits(of: rule)
      for source in rule.sources { try checkSource(source.table, source.columns, of: rule) }
      if let choice = rule.choice { try check(choice, of: rule) }
      if let block = rule.block, block.column == manifest[block.table]?.scopeColumn {
        throw failure(
          rule, "The blocked account is in the column of the owner. Name another column.")
      }
    }
  }

  private func checkKinds(of rule: AccessRule) throws(WireError) {
    guard manifest.personalKinds.contains(rule.kind) else {
      throw failure(rule, "Only personal scopes are read by a rule. Make the kind a personal one.")
    }
    guard manifest.tables.contains(where: { $0.scopeKind == rule.sharedKind }),
      !manifest.personalKinds.contains(rule.sharedKind)
    else {
      throw failure(
        rule,
        "It is for members of \(rule.sharedKind), which is not a kind of shared scopes. Correct it."
      )
    }
  }

  /// Checks that a change of one account concerns few others, because the server derives all their
  /// access at once.
  private func checkLimits(of rule: AccessRule) throws(WireError) {
    let most = WireLimits.accountsPerRules
    let total = Set(manifest.accessRules.map(\.sharedKind)).compactMap(accounts).reduce(0, +)
    guard accounts(rule.sharedKind) != nil, total <= most else {
      throw failure(
        rule,
        """
        Limit the members of a scope of \(rule.sharedKind) and the memberships of an account, so that \
        their product, added up for all kinds with rules, is at most \(most).
        """)
    }
  }

  /// Returns the number of accounts with which an account can share scopes of a kind, or `nil` if it is too
  /// large or not limited.
  private func accounts(_ kind: String) -> Int? {
    guard let members = manifest.memberLimits[kind],
      let memberships = manifest.membershipLimits[kind],
      case (let product, let isTooLarge) = members.multipliedReportingOverflow(by: memberships),
      !isTooLarge, product <= WireLimits.accountsPerRules
    else { return nil }
    return product
  }

  private func checkSource(
    _ name: String, _ columns: [String], of rule: AccessRule
  ) throws(WireError) {
    guard let table = manifest[name], !table.isRetired else {
      throw failure(rule, "Rows of \(name) limit it, which is not a present table. Declare it.")
    }
    guard manifest.personalKinds.contains(table.scopeKind),
      !manifest.accessRules.contains(where: { $0.kind == table.scopeKind })
    else {
      throw failure(
        rule,
        "Rows of \(name) limit it, which others could read. Put them into a personal scope without a rule."
      )
    }
    for column in columns {
      guard let found = table[column], !found.isRetired, found.derivedFrom == nil,
        found.type == .text, !found.isSealed, found.policy.mergesWholes
      else {
        throw failure(
          rule,
          "It names \(name).\(column). Name a present text column that is not sealed, split or derived."
        )
      }
    }
  }

  private func check(_ choice: AccessRule.Choice, of rule: AccessRule) throws(WireError) {
    guard !choice.values.isEmpty, Set(choice.values).count == choice.values.count,
      choice.values.count <= WireLimits.valuesPerRule,
      choice.values.allSatisfy({ 1...WireLimits.idBytes ~= $0.utf8.count })
    else {
      throw failure(
        rule,
        "A choice has 1 to \(WireLimits.valuesPerRule) different values of at most 200 bytes. Correct them."
      )
    }
  }

  private func failure(_ rule: AccessRule, _ message: String) -> WireError {
    WireError(.invalidManifest, message, place: "accessRules.\(rule.kind).\(rule.sharedKind)")
  }
}
