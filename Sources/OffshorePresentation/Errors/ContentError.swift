/// A failure about requested content.
public enum ContentError: Error, Equatable, Sendable {
  /// The content does not exist, or was deleted.
  case notFound
  /// The content is damaged, or its format is unknown.
  case unreadable
  /// The content is larger than allowed.
  case tooLarge
  /// The server allows no more items of this kind.
  case limitReached
  /// The file is not a backup of the app, or it is damaged.
  case notABackup
  /// A newer version of the app has made the backup.
  case newerBackup
  /// The file is not an image of a supported type.
  case wrongImageType
  /// The image has too many bytes or pixels.
  case imageTooLarge
  /// The image is damaged or incomplete.
  case imageDamaged
  /// The image could not be scaled.
  case imageFailed
  /// Images cannot be scaled on this device.
  case imagesUnavailable
}

extension ContentError {
  /// A sentence for the user about the failure.
  var message: LocalizedText {
    switch self {
    case .notFound:
      LocalizedText(
        en: "This does not exist, or not any more.", ru: "Этого нет или больше нет.")
    case .unreadable:
      LocalizedText(en: "This cannot be read.", ru: "Это не удаётся прочитать.")
    case .tooLarge: LocalizedText(en: "This is too large.", ru: "Это слишком большое.")
    case .limitReached:
      LocalizedText(
        en: "There are as many as the server allows.", ru: "Больше сервер не разрешает.")
    case .notABackup:
      LocalizedText(
        en: "This is not a backup of this app, or it is damaged.",
        ru: "Это не резервная копия этого приложения, или она повреждена.")
    case .newerBackup:
      LocalizedText(
        en: "A newer version of the app has made this backup.",
        ru: "Эту резервную копию сделала более новая версия приложения.")
    case .wrongImageType:
      LocalizedText(
        en: "Only images of the types PNG, JPEG and WebP can be used.",
        ru: "Можно использовать только изображения форматов PNG, JPEG и WebP.")
    case .imageTooLarge:
      LocalizedText(en: "This image is too large.", ru: "Это изображение слишком большое.")
    case .imageDamaged:
      LocalizedText(
        en: "This image is damaged or incomplete.", ru: "Это изображение повреждено или неполное.")
    case .imageFailed:
      LocalizedText(
        en: "This image could not be scaled.",
        ru: "Не удалось изменить размер этого изображения.")
    case .imagesUnavailable:
      LocalizedText(
        en: "Images cannot be scaled on this device.",
        ru: "На этом устройстве нельзя изменять размер изображений.")
    }
  }

  /// A sentence for the user about a remedy.
  var suggestion: LocalizedText {
    switch self {
    case .notFound: .chooseAnotherHint
    case .unreadable:
      LocalizedText(
        en: "Make it anew, or restore a backup.",
        ru: "Создайте заново или восстановите из резервной копии.")
    case .tooLarge:
      LocalizedText(en: "Choose something smaller.", ru: "Выберите что-нибудь поменьше.")
    case .limitReached:
      LocalizedText(
        en: "Remove what is not needed any more, and try again.",
        ru: "Уберите то, что больше не нужно, и попробуйте ещё раз.")
    case .notABackup:
      LocalizedText(en: "Choose another file.", ru: "Выберите другой файл.")
    case .newerBackup:
      LocalizedText(en: "Update the app.", ru: "Обновите приложение.")
    case .wrongImageType, .imageDamaged, .imageFailed:
      LocalizedText(en: "Choose another image.", ru: "Выберите другое изображение.")
    case .imageTooLarge:
      LocalizedText(
        en: "Choose one with at most 10 MiB and 50 million pixels.",
        ru: "Выберите изображение не больше 10 МиБ и 50 миллионов пикселей.")
    case .imagesUnavailable:
      LocalizedText(en: "Install the app again.", ru: "Установите приложение заново.")
    }
  }
}
