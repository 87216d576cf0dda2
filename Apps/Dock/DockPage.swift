import OffshoreHost
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The page of a dock: its steps, and its phones side by side, each with a switch for airplane mode
/// and a button that kills it.
struct DockPage: LivePage {
  let model: DockModel

  func page(_ tab: Tab) -> Page {
    var page = Page("Offshore", subtitle: text(.sentence), texts: .in(model.language)) {
      tab.region("accounts") {
        p(.id("account"), .class("hint")) {
          text(.accounts(model.phones, password: model.password))
        }
      }
      tab.region("story") { StepList(tour: model.tour, language: model.language).html }
      div(.class("stage")) {
        tab.region("delivered") { delivery }
        for phone in model.phones {
          section(.class("phone"), .ariaLabelledBy("name-\(phone.number)")) {
            tab.region("bar-\(phone.number)") {
              PhoneBar(phone: phone, language: model.language).html
            }
            tab.region("screen-\(phone.number)") { screen(phone) }
          }
        }
      }
    }
    page.mark = .offshore
    page.stylesheets = [.dock]
    return page
  }

  private func text(_ text: LocalizedText) -> String { text.in(model.language) }

  /// The time from phone to phone. Screen readers do not announce it, because it changes with each
  /// tick.
  private var delivery: HTML {
    p(.id("delivery"), .class("delivery")) {
      text(model.delivery.map { .delivered($0) } ?? .noDelivery)
    }
  }

  /// Shows the screen of a phone. It does not read the phone's status or error, so that their
  /// changes do not reload the frame.
  private func screen(_ phone: Phone) -> HTML {
    div(.class("glass"), .id("glass-\(phone.number)")) {
      if phone.hasEnded {
        p(.class("state"), .role(.alert)) { text(.ended) }
      } else if let address = phone.address {
        iframe(
          .id("frame-\(phone.number)"), .name("frame-\(phone.number)"), .src(address),
          .title(text(.phone(phone.number))), .lazy(), .allow("web-share"))
      } else {
        p(.class("state")) { text(.starting) }
      }
    }
  }
}

extension AppMark {
  /// A lighthouse.
  static let offshore = AppMark(
    name: "Offshore", colors: (top: "#12a08d", bottom: "#0a3d62"),
    path: "M27 12h10l1 6h-12zM25 20h14l4 24H21zM10 48h44l-5 7H15z")
}

extension Stylesheet {
  /// The style of the dock's page.
  static let dock = Stylesheet("dock", PackageResources.dock_css)
}

extension LocalizedText {
  fileprivate static let sentence = LocalizedText(
    en: """
      Local-first data for Swift. Anyfleet and MessAI on two phones and one server, each with its own \
      database: pull the plug and see.
      """,
    ru: """
      Данные в Swift, которые живут на устройстве. Anyfleet и MessAI на двух телефонах и одном сервере, у \
      каждого своя база: отключите сеть и посмотрите.
      """)
  fileprivate static let ended = LocalizedText(
    en: "This phone could not be started again. The terminal shows why. Run `make run` again.",
    ru: "Этот телефон не запустился снова. Причина — в терминале. Запустите `make run` ещё раз.")
  fileprivate static let starting = LocalizedText(en: "Starting…", ru: "Запускается…")
  fileprivate static let noDelivery = LocalizedText(
    en: "Tick an item to see how long it takes.",
    ru: "Отметьте пункт и увидите, как это быстро.")

  static func phone(_ number: Int) -> LocalizedText {
    LocalizedText(en: "Phone \(number)", ru: "Телефон \(number)")
  }

  fileprivate static func delivered(_ delivery: Delivery) -> LocalizedText {
    LocalizedText(
      en: "Phone \(delivery.from) → Phone \(delivery.to): \(delivery.milliseconds) ms",
      ru: "Телефон \(delivery.from) → Телефон \(delivery.to): \(delivery.milliseconds) мс")
  }
}
