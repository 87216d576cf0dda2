import OffshoreHost
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The name, the switch and the kill button of a phone in one line, and its status and the link to its apps in
/// another.
///
/// The lines have a fixed height, so that the switch does not move.
@MainActor
struct PhoneBar {
  let phone: Phone
  let language: Language

  var html: HTML {
    div(.class("phone-bar")) {
      div(.class("controls")) {
        strong(.id("name-\(phone.number)")) { text(.phone(phone.number)) }
        span(.class("hint"), .ariaHidden()) { text(.airplane) }
        airplaneSwitch
        killButton
      }
      p(.class("phone-status"), .id("status-\(phone.number)")) {
        StatusLabel(text(status), isOffline: !phone.status.isOnline)
        if let problem = phone.problem { span(.class("error"), .role(.alert)) { problem } }
        if let account = phone.status.account { span(.class("hint")) { account } }
        if let apps = phone.appsAddress {
          a(
            .id("apps-\(phone.number)"), .class("apps"), .href(apps),
            .target("frame-\(phone.number)"),
            .ariaLabel("\(text(.apps)), \(text(.phone(phone.number)))")
          ) { text(.apps) }
        }
      }
    }
  }

  private func text(_ text: LocalizedText) -> String { text.in(language) }

  private var airplaneSwitch: PostForm {
    PostForm(to: "/phones/\(phone.number)/airplane") {
      HiddenValue("isOn", "\(!phone.status.isAirplane)")
      button(
        .type(.submit), .class("switch"), .id("switch-\(phone.number)"), .role(.switch),
        .ariaChecked(phone.status.isAirplane),
        .ariaLabel("\(text(.airplane)), \(text(.phone(phone.number)))"))
    }
  }

  private var killButton: PostForm {
    PostForm(to: "/phones/\(phone.number)/kill", isRepeatable: false) {
      button(
        .type(.submit), .class("kill"), .id("kill-\(phone.number)"),
        .ariaLabel(text(.kill(phone.number))), .title(text(.kill(phone.number)))
      ) { "kill -9" }
    }
  }

  private var status: LocalizedText {
    if !phone.isServing, !phone.hasEnded { return .startingAgain }
    return .status(phone.status)
  }
}

extension LocalizedText {
  fileprivate static let airplane = LocalizedText(en: "Airplane mode", ru: "Режим полёта")
  fileprivate static let startingAgain = LocalizedText(
    en: "Starting again…", ru: "Снова запускается…")
  fileprivate static let online = LocalizedText(en: "Online", ru: "В сети")
  fileprivate static let offline = LocalizedText(en: "Offline", ru: "Не в сети")
  fileprivate static let signedOut = LocalizedText(
    en: "Offline: signed out", ru: "Не в сети: вход не выполнен")
  fileprivate static let signInAgain = LocalizedText(
    en: "Offline: sign in again", ru: "Не в сети: войдите снова")
  fileprivate static let updateApp = LocalizedText(
    en: "Offline: the app is too old", ru: "Не в сети: приложение устарело")

  fileprivate static func kill(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Kill phone \(number) (kill -9)", ru: "Завершить телефон \(number) (kill -9)")
  }

  fileprivate static func status(_ status: PhoneStatus) -> LocalizedText {
    let waiting = LocalizedText.counted(
      status.pending, en: .init(one: "# change waits", other: "# changes wait"),
      ru: .init(
        one: "ждёт # изменение", few: "ждут # изменения", many: "ждут # изменений"))
    let place: LocalizedText =
      switch status.blocker {
      case .signedOut: .signedOut
      case .signInAgain: .signInAgain
      case .updateApp: .updateApp
      case nil: status.isOnline ? .online : .offline
      }
    guard status.pending > 0 else { return place }
    return LocalizedText { "\(place.in($0)), \(waiting.in($0))" }
  }
}
