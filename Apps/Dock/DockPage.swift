import Observation
import OffshoreHost
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The phones of a dock.
@MainActor @Observable
final class DockModel {
  var phones: [Phone] = []
  let language: Language

  init(language: Language) { self.language = language }
}

/// The page of a dock: its phones, each with a switch for airplane mode.
struct DockPage: LivePage {
  let model: DockModel

  func page(_ tab: Tab) -> Page {
    Page(
      text(.heading), site: "Offshore", subtitle: text(.invitation), words: .in(model.language)
    ) {
      p(.id("account"), .class("hint")) { text(.account) }
      div(.class("dock")) {
        for phone in model.phones {
          section(.class("phone"), .ariaLabelledBy("name-\(phone.number)")) {
            tab.region("bar-\(phone.number)") { bar(phone) }
            tab.region("screen-\(phone.number)") { screen(phone) }
          }
        }
      }
    }
  }

  private func text(_ text: LocalizedText) -> String { text.in(model.language) }

  private func bar(_ phone: Phone) -> HTML {
    div(.class("phone-bar")) {
      strong(.id("name-\(phone.number)")) { text(.phone(phone.number)) }
      StatusLabel(text(.status(phone.status)), isOffline: !phone.status.isOnline)
      if let problem = phone.problem { span(.class("error"), .role(.alert)) { problem } }
      span(.class("spacer"))
      span(.class("hint"), .ariaHidden()) { text(.airplane) }
      PostForm(to: "/phones/\(phone.number)/airplane") {
        HiddenValue("isOn", "\(!phone.status.isAirplane)")
        button(
          .type(.submit), .class("switch"), .id("switch-\(phone.number)"), .role(.switch),
          .ariaChecked(phone.status.isAirplane),
          .ariaLabel("\(text(.airplane)), \(text(.phone(phone.number)))"))
      }
    }
  }

  /// Reads neither the status nor an error, so that their changes do not load the phone's own page again.
  private func screen(_ phone: Phone) -> HTML {
    div(.class("glass"), .id("glass-\(phone.number)")) {
      if phone.hasEnded {
        p(.class("state"), .role(.alert)) { text(.ended) }
      } else if let address = phone.address {
        iframe(
          .id("frame-\(phone.number)"), .src(address), .title(text(.phone(phone.number))))
      } else {
        p(.class("state")) { text(.starting) }
      }
    }
  }
}

extension LocalizedText {
  fileprivate static let heading = LocalizedText(
    en: "Two phones, one account", ru: "Два телефона, одна учётная запись")
  fileprivate static let invitation = LocalizedText(
    en: """
      Change something on one phone and see it on the other. Then switch both to airplane mode, change \
      something on each, and switch them back: nothing is lost.
      """,
    ru: """
      Измените что-нибудь на одном телефоне и увидите это на другом. Затем включите на обоих режим \
      полёта, внесите изменения на каждом и выключите его: ничего не потеряется.
      """)
  fileprivate static let account = LocalizedText(
    en: "Both are signed in as \(Dock.accountName), with the password “\(Dock.accountPassword)”.",
    ru: "Оба вошли как \(Dock.accountName) с паролем «\(Dock.accountPassword)».")
  fileprivate static let ended = LocalizedText(
    en: "This phone could not be started again. The terminal shows the reason; restart the dock.",
    ru: "Этот телефон не удалось запустить снова. Причина указана в терминале; перезапустите док.")
  fileprivate static let airplane = LocalizedText(en: "Airplane mode", ru: "Режим полёта")
  fileprivate static let starting = LocalizedText(en: "Starting…", ru: "Запускается…")

  fileprivate static func phone(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Phone \(number)", ru: "Телефон \(number)")
  }

  fileprivate static func status(_ status: PhoneStatus) -> LocalizedText {
    let waiting = LocalizedText.counted(
      status.pending, en: .init(one: "# change waits", other: "# changes wait"),
      ru: .init(
        one: "ждёт # изменение", few: "ждут # изменения", many: "ждут # изменений"))
    let place =
      status.isOnline
      ? LocalizedText(en: "Online", ru: "В сети") : LocalizedText(en: "Offline", ru: "Не в сети")
    guard status.pending > 0 else { return place }
    return LocalizedText(
      en: "\(place.in(.english)), \(waiting.in(.english))",
      ru: "\(place.in(.russian)), \(waiting.in(.russian))")
  }
}
