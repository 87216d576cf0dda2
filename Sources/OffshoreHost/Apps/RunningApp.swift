import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
package import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// An app that a host runs, with its file.
@MainActor package struct RunningApp {
  /// The declaration of the app.
  package let app: HostedApp
  /// The open app.
  package let openApp: OpenApp
  /// The routes of the app's pages, at addresses relative to its path.
  let pages: Router
  let store: SyncedStore

  /// The service that syncs the app's file.
  package var sync: SyncService { openApp.frame.sync }
  /// The language of the app.
  package var language: Language { openApp.frame.language.language }

  /// Opens an app's file, and creates the app.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - preferred: the language until the user chooses one.
  ///   - server: returns the server for the account that owns the file, or for `nil` without one.
  /// - Throws: ``HostError`` that names the file and the remedy.
  init(
    _ app: HostedApp, at path: String, preferring preferred: Language, tabs: TabRegistry,
    environment: AppDevice.Environment, server: (LinkedAccount?) -> URL?
  ) async throws {
    do {
      let store = try SyncedStore(
        path, schema: app.schema, environment: environment.ofStore)
      do {
        let language = try await LanguageSetting.start(
          storedBy: store, languages: app.languages, preferring: preferred,
          calendar: environment.calendar)
        let account = try await store.read { try SyncedStore.account($0) }
        openApp = try await app.open(
          AppDevice(
            store: store, language: language, server: server(account), tabs: tabs,
            at: app.path, environment: environment))
      } catch {
        await store.close()
        throw error
      }
      self.app = app
      self.store = store
      pages = Self.pages(of: openApp)
    } catch {
      throw HostError("“\(path)” cannot be used. \(HostError.explanation(of: error))")
    }
  }

  private static func pages(of app: OpenApp) -> Router {
    var router = Router()
    app.addPages(&router)
    var system = Router()
    system.addSystemPages(of: app.frame)
    router.addMissing(from: system)
    return router
  }

  /// Completes the running work, and closes the file.
  func stop() async {
    await sync.stop()
    await store.close()
  }
}

extension AppDevice.Environment {
  /// The environment of the store.
  fileprivate var ofStore: SyncedStore.Environment {
    var environment = SyncedStore.Environment()
    (environment.now, environment.makeID, environment.logger) = (now, makeID, syncLogger)
    return environment
  }
}
