import OffshoreHost
import OffshorePresentation

/// The accounts that a dock creates for its phones.
///
/// The dock's page shows their password, because the user needs it to sign in on a phone's page.
/// The server is reachable from this machine only.
enum DockAccounts {
  /// The names of the accounts by the number of the phone. The first owns the sample charter, the
  /// second is a member.
  static let names = [1: "skipper", 2: "crew"]
  static let password = "two phones"

  /// Returns the name of a phone's account.
  static func name(ofPhone number: Int) -> String { names[number] ?? "phone \(number)" }
}

extension LocalizedText {
  /// Returns sentences about the accounts of phones, and the password of those that the dock
  /// created.
  @MainActor static func accounts(_ phones: [Phone]) -> LocalizedText {
    accounts(of: phones.map { ($0.number, $0.status) })
  }

  /// Returns sentences about the accounts of phones with a number and a status each.
  static func accounts(of phones: [(number: Int, status: PhoneStatus)]) -> LocalizedText {
    let named = phones.filter { $0.status.account != nil }
    let names = Set(named.compactMap(\.status.account))
    let areSignedIn = named.allSatisfy { $0.status.blocker != .signedOut }
    var sentences: [LocalizedText] = []
    if let name = names.first, names.count == 1, areSignedIn, named.count == 2 {
      sentences = [.bothSignedIn(name)]
    } else {
      sentences = phones.map { .account(of: $0.number, $0.status) }
    }
    let own = names.intersection(DockAccounts.names.values).sorted()
    if let name = own.first {
      sentences.append(own.count == 1 ? .passwordOf(name) : .passwordOfBoth)
    }
    let all = sentences
    return LocalizedText { language in all.map { $0.in(language) }.joined(separator: " ") }
  }

  private static func account(of number: Int, _ status: PhoneStatus) -> LocalizedText {
    guard let name = status.account else {
      return LocalizedText(
        en: "Phone \(number) has no account.", ru: "У телефона \(number) нет учётной записи.")
    }
    return status.blocker == .signedOut
      ? LocalizedText(
        en: "Phone \(number) is signed out of \(name).",
        ru: "Телефон \(number) вышел из учётной записи \(name).")
      : LocalizedText(
        en: "Phone \(number) is signed in as \(name).", ru: "Телефон \(number) вошёл как \(name).")
  }

  private static func bothSignedIn(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "Both phones are signed in as \(name).", ru: "Оба телефона вошли как \(name).")
  }

  private static let passwordOfBoth = LocalizedText(
    en: "The password of both is “\(DockAccounts.password)”.",
    ru: "Пароль обоих — «\(DockAccounts.password)».")

  private static func passwordOf(_ name: String) -> LocalizedText {
    LocalizedText(
      en: "The password of \(name) is “\(DockAccounts.password)”.",
      ru: "Пароль \(name) — «\(DockAccounts.password)».")
  }
}
