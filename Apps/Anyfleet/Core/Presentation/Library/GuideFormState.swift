public import Foundation
import OffshorePresentation

/// What somebody has entered of a guide so far.
public struct GuideFormState: EntryForm {
  /// A field of the form.
  public enum Field: Hashable, Sendable {
    case title
    case body
    case tags
  }

  public var title = ""
  public var body = ""
  /// The tags with commas between them.
  public var tags = ""
  public var basedOn: Date?

  /// Creates an empty form.
  public init() {}

  /// Creates a form with what a guide has.
  public init(_ guide: PracticeGuide) {
    title = guide.title
    body = guide.body
    tags = guide.tags.joined(separator: ", ")
    basedOn = guide.updatedAt
  }

  public func entry(id: UUID, by creatorID: UUID, at now: Date) -> PracticeGuide {
    PracticeGuide(
      id: id, title: title.trimmed, body: body.trimmed, tags: tagList, creatorID: creatorID,
      createdAt: now)
  }

  /// The tags without space around them, each once, however it is written.
  public var tagList: [String] {
    var known: Set<String> = []
    return tags.split(whereSeparator: { $0 == "," || $0.isNewline }).compactMap { part in
      let tag = String(part).trimmed
      return !tag.isEmpty && known.insert(SearchText.folded(tag)).inserted ? tag : nil
    }
  }

  /// All that keeps the guide from being saved, in the order of the fields.
  public var problems: [EntryProblem<Field>] {
    let problems: [EntryProblem<Field>?] = [
      .required(
        title, .title, named: "title", limit: PracticeGuide.maximumTitleLength,
        empty: .enterTitle),
      .required(
        body, .body, named: "body", limit: PracticeGuide.maximumBodyLength, empty: .enterText),
      tagProblem,
    ]
    return problems.compactMap(\.self)
  }

  private var tagProblem: EntryProblem<Field>? {
    let tags = tagList
    if tags.count > PracticeGuide.maximumTagCount {
      return EntryProblem(.tags, .tooManyTags(PracticeGuide.maximumTagCount))
    }
    return tags.lazy.compactMap {
      .limited($0, .tags, named: "tag", limit: PracticeGuide.maximumTagLength)
    }.first
  }
}

extension LocalizedText {
  fileprivate static let enterText = LocalizedText(en: "Enter a text.", ru: "Введите текст.")

  fileprivate static func tooManyTags(_ maximum: Int) -> LocalizedText {
    .counted(
      maximum,
      en: .init(one: "A guide may have # tag.", other: "A guide may have at most # tags."),
      ru: .init(
        one: "У руководства может быть не больше # метки.",
        few: "У руководства может быть не больше # меток.",
        many: "У руководства может быть не больше # меток."))
  }
}
