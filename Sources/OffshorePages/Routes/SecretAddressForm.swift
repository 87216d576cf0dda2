public import Observation
public import OffshorePresentation
public import OffshoreWeb

/// The part of a page that creates, replaces and withdraws a ``SecretAddress``.
///
/// A new address is shown once, because only its hash is stored. It is hidden when another page
/// replaces or withdraws it.
@MainActor public final class SecretAddressForm: Observable {
  private let secret: SecretAddress
  /// The address that this page has created, and the count of changes since which it is valid.
  @Observed private var created: (address: String, changeCount: Int)?

  /// Creates the part for an address.
  public init(_ secret: SecretAddress) { self.secret = secret }

  /// Reads whether the address exists.
  /// - Throws: the error of the storage.
  public func load() async throws { try await secret.state.load { try await secret.isActive } }

  private var isActive: Bool { secret.state.isActive }

  /// The address that this page has created, while it is valid.
  private var address: String? {
    created.flatMap { $0.changeCount == secret.state.changeCount ? $0.address : nil }
  }

  /// Returns the part, for a region of the page.
  /// - Parameter address: the page's own address.
  @HTMLBuilder public func html(to address: String, _ say: Localizer) -> HTML {
    p { say(isActive ? .addressExists : .noAddress) }
    if let shown = self.address {
      p(.role(.status)) { say(.shownOnce) }
      p { a(.class("secret"), .id("secret-address"), .href(shown)) { shown } }
    }
    PostForm(to: address, id: "secret-form", isRepeatable: false) {
      div(.class("buttons")) {
        SubmitButton(say(isActive ? .replaceAddress : .createAddress), action: "create-address")
        if isActive {
          SubmitButton(say(.withdrawAddress), style: .destructive, action: "withdraw-address")
        }
      }
    }
  }

  /// Performs a form of the part.
  /// - Returns: the outcome, or `nil` if the form is not one of the part.
  /// - Throws: the error of the storage.
  public func perform(_ form: PageForm) async throws -> Outcome? {
    switch form.action {
    case "create-address":
      let address = try await secret.create()
      created = (address, secret.state.changeCount)
      return .drafted
    case "withdraw-address":
      try await secret.withdraw()
      created = nil
      return .done
    default: return nil
    }
  }
}

extension LocalizedText {
  fileprivate static let addressExists = LocalizedText(
    en: "There is an address. Programs that know it can read the file.",
    ru: "Адрес есть. Программы, которые его знают, могут читать файл.")
  fileprivate static let noAddress = LocalizedText(
    en: "There is no address yet.", ru: "Адреса пока нет.")
  fileprivate static let shownOnce = LocalizedText(
    en: "Copy the address of this link now. It is not shown again.",
    ru: "Скопируйте адрес этой ссылки сейчас. Больше он не показывается.")
  fileprivate static let createAddress = LocalizedText(
    en: "Create an address", ru: "Создать адрес")
  fileprivate static let replaceAddress = LocalizedText(
    en: "Replace the address", ru: "Заменить адрес")
  fileprivate static let withdrawAddress = LocalizedText(
    en: "Withdraw the address", ru: "Отозвать адрес")
}
