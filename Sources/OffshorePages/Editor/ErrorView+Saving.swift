import OffshorePresentation
import OffshoreWeb

extension ErrorView {
  /// Creates the view of the error of a save. If the entry was edited or deleted elsewhere, it
  /// explains that saving again overwrites or restores it.
  /// - Parameter address: the address of the page with the stored version.
  init(saving error: AppError, stored address: String, _ say: Localizer) {
    switch error {
    case .sync(.conflict):
      self.init(
        say(error.localizedMessage), suggestion: say(.saveInPlaceOfStored),
        retry: .link(say(.showStored), to: address, inNewTab: true))
    case .database(.notFound):
      self.init(say(.deletedMeanwhile), suggestion: say(.saveAnew))
    default: self.init(error, say)
    }
  }
}

extension LocalizedText {
  fileprivate static let saveInPlaceOfStored = LocalizedText(
    en: "Nothing you entered is lost: save again to store it in place of the other version.",
    ru: "Введённое вами не потеряно: сохраните ещё раз, и оно заменит другую версию.")
  fileprivate static let showStored = LocalizedText(
    en: "Show the other version in a new tab", ru: "Показать другую версию в новой вкладке")
  fileprivate static let deletedMeanwhile = LocalizedText(
    en: "This was deleted meanwhile.", ru: "Тем временем это удалили.")
  fileprivate static let saveAnew = LocalizedText(
    en: "Nothing you entered is lost: save again to store it anew.",
    ru: "Введённое вами не потеряно: сохраните ещё раз, и оно появится заново.")
}
