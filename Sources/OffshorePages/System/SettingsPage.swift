import Observation
import Offshore
import OffshoreCalendar
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The page of the language, the first day of the week, and the location of the data.
struct SettingsPage: RoutedPage {
  private let frame: AppFrame
  private let model = SettingsPageModel()

  init(_ frame: AppFrame) { self.frame = frame }

  private var say: Localizer { frame.say }
  private var setting: LanguageSetting { frame.language }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.settings), in: .profile, back: frame.backToProfile) {
      tab.region("language") { languageForm }
      if let weekday = frame.weekday { tab.region("weekday") { form(of: weekday) } }
      h2 { say(.yourData) }
      DataFactsView(frame)
    }
  }

  private var languageForm: PostForm {
    PostForm(to: SystemRoute.settings.address, id: "language-form") {
      Field(
        say(.languageField), name: "language", value: setting.language.code,
        kind: .choice(setting.languages.map { Field.Choice($0.code, $0.name) }),
        hint: say(.languageHint),
        error: setting.saveError.map { say(AppError(saving: $0).localizedMessage) })
      SubmitButton(say(.useLanguage), action: "use-language")
    }
  }

  private func form(of setting: WeekdaySetting) -> PostForm {
    PostForm(to: SystemRoute.settings.address, id: "weekday-form") {
      Field(
        say(.firstWeekday), name: "weekday", value: setting.chosen?.rawValue ?? "",
        kind: .choice(
          [Field.Choice("", say(.asInRegion))]
            + Weekday.monday.week.map { Field.Choice($0.rawValue, say.weekday($0)) }),
        error: model.weekdayError.map { say($0.localizedMessage) })
      SubmitButton(say(.useWeekday), style: .plain, action: "use-weekday")
    }
  }

  /// Changes a setting, and returns when the choice is stored.
  func perform(_ form: PageForm) async throws -> Outcome {
    if form.action == "use-weekday", let setting = frame.weekday {
      let text = form.text("weekday")
      let weekday = Weekday(rawValue: text)
      guard text.isEmpty || weekday != nil else {
        throw HTTPError(.badRequest, "The form has no field weekday that is a day or empty.")
      }
      do {
        try await setting.choose(weekday)
        model.weekdayError = nil
        return .done
      } catch {
        model.weekdayError = AppError(saving: error)
        return .invalid
      }
    }
    guard form.action == "use-language" else { throw form.unknownAction }
    guard setting.use(code: form.text("language")) else {
      throw HTTPError(.badRequest, "The form has no field language that is one of the languages.")
    }
    await setting.settled()
    return setting.saveError == nil ? .done : .invalid
  }
}

/// The state of the settings' page.
@MainActor private final class SettingsPageModel: Observable {
  /// The reason why the first day of the week was not stored.
  @Observed var weekdayError: AppError?
}

/// The location of the data, and the version of the app.
@MainActor
struct DataFactsView: Component {
  private let frame: AppFrame

  init(_ frame: AppFrame) { self.frame = frame }

  var html: HTML {
    let say = frame.say
    return dl(.class("data-facts")) {
      dt { say(.dataFile) }
      dd { code(.id("data-path")) { frame.store.database.path } }
      dt { say(.version) }
      dd(.id("version")) { frame.facts.version }
    }
  }
}

/// The page of the app's purpose, version and licence, and of the location of the data.
struct AboutPage: RoutedPage {
  private let frame: AppFrame

  init(_ frame: AppFrame) { self.frame = frame }

  func page(_ tab: Tab) -> Page {
    let (say, facts) = (frame.say, frame.facts)
    return frame.page(tab, say(.about(frame.name)), in: .profile, back: frame.backToProfile) {
      if let purpose = facts.purpose { p { say(purpose) } }
      p { say(.whereDataStays) }
      DataFactsView(frame)
      if let licence = facts.licence {
        h2 { say(.licence) }
        p { say(licence) }
      }
    }
  }
}

extension LocalizedText {
  static let settings = LocalizedText(en: "Settings", ru: "Настройки")

  /// The label of the language field, in both languages, for users who cannot read the current one.
  static let languageField = LocalizedText(en: "Language (Язык)", ru: "Язык (Language)")
  static let languageHint = LocalizedText(
    en: "It is used at once, in all open tabs.", ru: "Применяется сразу, во всех открытых вкладках."
  )
  static let useLanguage = LocalizedText(en: "Use this language", ru: "Использовать этот язык")
  fileprivate static let firstWeekday = LocalizedText(
    en: "First day of the week", ru: "Первый день недели")
  fileprivate static let asInRegion = LocalizedText(en: "As in my region", ru: "Как в регионе")
  fileprivate static let useWeekday = LocalizedText(
    en: "Use this day", ru: "Использовать этот день")
  static let yourData = LocalizedText(en: "Your data", ru: "Ваши данные")
  static let dataFile = LocalizedText(en: "Data file", ru: "Файл данных")
  static let version = LocalizedText(en: "Version", ru: "Версия")

  static func about(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(en: "About \(app)", ru: "О приложении \(app)")
  }
  static let whereDataStays = LocalizedText(
    en:
      "It works without a network. Everything is kept in a file on this device; with an account also "
      + "on the server that you have chosen, and nowhere else.",
    ru:
      "Работает без сети. Всё хранится в файле на этом устройстве, а с учётной записью — ещё и на "
      + "выбранном вами сервере, и больше нигде.")
  static let licence = LocalizedText(en: "Licence", ru: "Лицензия")
}
