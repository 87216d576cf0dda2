import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// A practice guide, to read.
struct GuidePage: LivePage {
  let shell: Shell
  let viewModel: GuideViewModel

  private var say: Speaker { shell.say }

  func load() async throws {
    await viewModel.load()
    if viewModel.guide.errorValue == .database(.notFound) { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, viewModel.guide.data?.title ?? say(LibraryPart.guides.entryTitle), in: .library,
      back: PageLink(say(.library), to: Address.library(.guides))
    ) {
      tab.region("guide-text") {
        tags
        StateContent(
          viewModel.content, say, loading: LibraryPart.guides.loading,
          address: Address.entry(viewModel.guideID, in: .guides)
        ) { MarkdownView($0) }
      }
      tab.region("guide-actions") {
        EntryActions(
          viewModel.guideID, in: .guides, title: viewModel.guide.map(\.title),
          error: viewModel.actionError, say)
      }
    }
  }

  @HTMLBuilder private var tags: HTML {
    if let tags = viewModel.guide.data?.tags, !tags.isEmpty {
      p(.class("tags")) {
        for tag in tags {
          Badge(tag, tone: .none)
          " "
        }
      }
    }
  }
}

extension AnyfleetPages {
  func guide(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("guide")
    return try await tabs.open(request) { guidePage(id) }
  }

  func copyGuide(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("guide")
    return try await tabs.act(request, at: Address.entry(id, in: .guides)) {
      guidePage(id)
    } action: { page in
      let copy = await page.viewModel.duplicate(in: page.shell.language.language)
      return copy.map { .go(to: Address.entry($0.id, in: .guides)) } ?? .invalid
    }
  }

  /// Deletes a guide and goes to the library, also where it is gone already.
  func deleteGuide(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("guide")
    return try await deleting(from: .guides) {
      try await tabs.act(request, at: Address.entry(id, in: .guides)) {
        guidePage(id)
      } action: { page in
        await page.viewModel.delete() ? .go(to: Address.library(.guides)) : .invalid
      }
    }
  }

  @MainActor private func guidePage(_ id: UUID) -> GuidePage {
    GuidePage(shell: shell, viewModel: dependencies.makeGuide(id))
  }
}
