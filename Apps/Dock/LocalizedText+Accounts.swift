import OffshoreHost
import OffshorePresentation

extension LocalizedText {
  /// Returns sentences about the accounts of phones, and the password of those that the dock
  /// created.
  @MainActor static func accounts(_ phones: [Phone], password: String) -> LocalizedText {
    accounts(of: phones.map { ($0.number, $0.status) }, password: password)
  }

  /// Returns sentences about the accounts of phones with a number and a status each.
  static func accounts(
    of phones: [(number: Int, status: PhoneStatus)], password: String
  ) -> LocalizedText {
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
      sentences.append(own.count == 1 ? .passwordOf(name, password) : .passwordOfBoth(password))
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

  private static func passwordOfBoth(_ password: String) -> LocalizedText {
    LocalizedText(
      en: "The password of both is “\(password)”.", ru: "Пароль обоих — «\(password)».")
  }

  private static func passwordOf(_ name: String, _ password: String) -> LocalizedText {
    LocalizedText(
      en: "The password of \(name) is “\(password)”.", ru: "Пароль \(name) — «\(password)».")
  }
}
