import Anyfleet
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A line above the checklists that offers the seeded ones in the current language.
struct SeedOfferView: ListOffer {
  let offer: SeedOffer
  let frame: AppFrame

  private var say: Localizer { frame.say }

  func load() async { await offer.load() }

  @HTMLBuilder func html(to address: String) -> HTML {
    if offer.isOpen {
      div(.id("seed-offer"), .class("look-only", "offer")) {
        div {
          p { say(.seedsInOtherLanguage) }
          " "
          PostForm(to: address) {
            SubmitButton(say(.addSeeds), style: .plain, action: "add-seeds")
          }
        }
        PostForm(to: address) {
          button(
            .type(.submit), .class("dismiss"), .name("action"), .value("dismiss-seeds"),
            .ariaLabel(say(.dismissSeeds))
          ) { "×" }
        }
      }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    switch form.action {
    case "add-seeds":
      if let undo = try await offer.add() { frame.offerUndo(.seedsAdded, restore: undo) }
    case "dismiss-seeds": try await offer.dismiss()
    default: throw form.unknownAction
    }
    return .done
  }
}

extension LocalizedText {
  /// NB: The texts name the other one of two languages, so they differ between English and Russian.
  fileprivate static let seedsInOtherLanguage = LocalizedText(
    en: "The library is in Russian.", ru: "Библиотека на английском.")
  fileprivate static let addSeeds = LocalizedText(
    en: "Add the English one", ru: "Добавить русскую")
  fileprivate static let dismissSeeds = LocalizedText(en: "Dismiss", ru: "Скрыть")
  fileprivate static let seedsAdded = LocalizedText(
    en: "The English checklists were added.", ru: "Русские чек-листы добавлены.")
}
