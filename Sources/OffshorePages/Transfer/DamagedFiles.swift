public import Observation
public import OffshoreFiles
public import OffshorePresentation
public import OffshoreWeb

/// A part of a page that lists the damaged files of an app, and restores the last good copy of each.
@MainActor public final class DamagedFiles: Observable {
  /// A file, such as a `JSONDocument`.
  public struct File {
    let name: String
    let load: () async throws -> Void
    let restore: () async throws -> Void
    let restart: () async throws -> Void

    /// Creates a file.
    /// - Parameters:
    ///   - load: loads it, and throws if it is damaged.
    ///   - restore: puts its last good copy in its place.
    ///   - restart: stores an empty one in its place.
    public init(
      _ name: String, load: @escaping () async throws -> Void,
      restore: @escaping () async throws -> Void, restart: @escaping () async throws -> Void
    ) {
      self.name = name
      self.load = load
      self.restore = restore
      self.restart = restart
    }
  }

  private let files: [File]
  @Observed private var errors: [String: AppError] = [:]

  /// Creates the part for the files of an app.
  public init(_ files: [File]) { self.files = files }

  /// Creates the part for the files of a group; without one, it is empty.
  public convenience init<Change>(of group: FileGroup<Change>?) {
    let names = group?.fileNames ?? []
    self.init(
      names.map { name in
        File(name) {
          try await group?.check(name)
        } restore: {
          try await group?.restoreLastGoodCopy(of: name)
        } restart: {
          try await group?.restart(name)
        }
      })
  }

  /// Finds the files that cannot be loaded.
  public func load() async {
    for file in files {
      do {
        try await file.load()
        errors[file.name] = nil
      } catch { errors[file.name] = error.asAppError }
    }
  }

  /// Returns the part, which is empty if no file is damaged.
  /// - Parameter address: the page's own address.
  @HTMLBuilder public func html(to address: String, _ say: Localizer) -> HTML {
    for file in files {
      if let error = errors[file.name] {
        div(.class("notices"), .id("damaged-\(file.name)"), .role(.alert)) {
          p { strong { say(error.localizedMessage) } }
          if case .database(.fileDamaged(_, let hasCopy)) = error {
            PostForm(to: address) {
              HiddenValue("file", file.name)
              div(.class("buttons")) {
                if hasCopy { SubmitButton(say(.useCopy), action: "recover") }
                SubmitButton(say(.startEmpty), style: .destructive, action: "restart")
              }
            }
          }
        }
      }
    }
  }

  /// Performs a form of the part.
  /// - Returns: the outcome, or `nil` if the form is not one of the part.
  public func perform(_ form: PageForm) async -> Outcome? {
    guard ["recover", "restart"].contains(form.action),
      let file = files.first(where: { $0.name == form.text("file") })
    else { return nil }
    do {
      if form.action == "recover" { try await file.restore() } else { try await file.restart() }
      await load()
      return .done
    } catch {
      errors[file.name] = AppError(saving: error)
      return .invalid
    }
  }
}

extension LocalizedText {
  fileprivate static let useCopy = LocalizedText(
    en: "Use the last good copy", ru: "Взять последнюю целую копию")
  fileprivate static let startEmpty = LocalizedText(
    en: "Start with an empty file", ru: "Начать с пустого файла")
}
