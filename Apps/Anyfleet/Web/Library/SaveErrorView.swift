import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Says above a form why it was not saved, and what can be done about that.
struct SaveErrorView: Component {
  let html: HTML

  /// Takes the error, and where what is stored can be seen.
  init(_ error: AppError, stored address: String, _ say: Speaker) {
    html =
      switch error {
      case .sync(.conflict):
        ErrorView(
          say(error.localizedMessage), suggestion: say(.saveInPlaceOfStored),
          retry: .link(say(.showStored), to: address, inNewTab: true)
        ).html
      case .database(.notFound):
        ErrorView(say(.deletedMeanwhile), suggestion: say(.saveAnew)).html
      default: ErrorView(error, say).html
      }
  }
}

extension LocalizedText {
  fileprivate static let saveInPlaceOfStored = LocalizedText(
    en: "Nothing you entered is lost: save again to store it in place of the other version.",
    ru: "Введённое вами не потеряно: сохраните ещё раз, и оно заменит другую версию.")
  fileprivate static let showStored = LocalizedText(
    en: "Show the Other Version in a New Tab", ru: "Показать другую версию в новой вкладке")
  fileprivate static let deletedMeanwhile = LocalizedText(
    en: "This was deleted meanwhile.", ru: "Тем временем это удалили.")
  fileprivate static let saveAnew = LocalizedText(
    en: "Nothing you entered is lost: save again to store it anew.",
    ru: "Введённое вами не потеряно: сохраните ещё раз, и оно появится заново.")
}
