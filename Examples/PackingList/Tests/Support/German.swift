import Foundation
import OffshorePresentation

extension Language {
  /// A language that neither the library nor the example has, as an app adds it.
  static let german = Language(
    code: "de", name: "Deutsch", locale: Locale(identifier: "de_DE"), plurals: .english,
    translations: ofApp.merging(ofLibrary) { first, _ in first })

  private static let ofApp: [String: Translation] = [
    "%1 of %2 packed": "%1 von %2 eingepackt",
    "Lists": "Listen",
    "Make one for your next trip.": "Lege eine für die nächste Reise an.",
    "New list": "Neue Liste",
    "No lists yet": "Noch keine Listen",
    "Note": "Notiz",
    "Packing List": "Packliste",
    "Thing": "Gegenstand",
    "Title": "Titel",
  ]

  private static let ofLibrary: [String: Translation] = [
    "# changes wait": .counted(one: "# Änderung wartet", other: "# Änderungen warten"),
    "%1 characters or more.": "Mindestens %1 Zeichen.",
    "3 to 64 letters and digits; . _ - + @ may stand between them.":
      "3 bis 64 Buchstaben und Ziffern; dazwischen auch . _ - + @.",
    "A link into the app, which begins with %1://.":
      "Ein Link in die App, der mit %1:// beginnt.",
    "About %1": "Über %1",
    "Account": "Konto",
    "Account name": "Kontoname",
    "Add": "Hinzufügen",
    "Airplane mode": "Flugmodus",
    "Change password": "Passwort ändern",
    "Continue on this device": "Auf diesem Gerät weiter",
    "Create account": "Konto anlegen",
    "Current password": "Jetziges Passwort",
    "Data file": "Datei",
    "Delete": "Löschen",
    "Delete “%1”": "„%1“ löschen",
    "Dismiss": "Schließen",
    "Edit": "Bearbeiten",
    "Edit “%1”": "„%1“ bearbeiten",
    "Enter the code.": "Gib den Code ein.",
    "Everything works on this device alone. To sync with others, start the app with:":
      "Auf diesem Gerät funktioniert alles. Für den Abgleich starte die App so:",
    "Fill in this field.": "Fülle dieses Feld aus.",
    "How to name one": "So gibst du einen an",
    "Invitation code": "Einladungscode",
    "It is used at once, in all open tabs.": "Sie gilt sofort, in allen offenen Tabs.",
    "It works without a network. Everything is kept in a file on this device; with an account also on the server that you have chosen, and nowhere else.":
      "Alles geht ohne Netz und liegt in einer Datei auf diesem Gerät; mit Konto auch auf dem gewählten Server, sonst nirgends.",
    "Join": "Mitmachen",
    "Join by code": "Per Code mitmachen",
    "Language (Язык)": "Sprache (Language)",
    "Licence": "Lizenz",
    "Link": "Link",
    "Loading…": "Lädt…",
    "Looking for changes…": "Sucht Änderungen…",
    "New account": "Neues Konto",
    "New password": "Neues Passwort",
    "No changes wait": "Keine Änderung wartet",
    "No server is named": "Kein Server angegeben",
    "Not synced": "Nicht abgeglichen",
    "On this device alone": "Nur auf diesem Gerät",
    "On this device alone. Invite others to take part.":
      "Nur auf diesem Gerät. Lade andere ein.",
    "Open": "Öffnen",
    "Open a link": "Link öffnen",
    "Parts of the app": "Teile der App",
    "Password": "Passwort",
    "People with access": "Wer Zugang hat",
    "Profile": "Profil",
    "Save": "Sichern",
    "Settings": "Einstellungen",
    "Sign in": "Anmelden",
    "Sign out": "Abmelden",
    "Sign in, or make an account": "Anmelden oder Konto anlegen",
    "Signed in": "Angemeldet",
    "Skip to content": "Zum Inhalt",
    "Sync": "Abgleich",
    "Sync now": "Jetzt abgleichen",
    "Sync status": "Stand des Abgleichs",
    "That did not work. Try again.": "Das ging nicht. Versuche es noch einmal.",
    "The app cannot be reached. Trying again…": "Die App ist nicht erreichbar. Neuer Versuch…",
    "The code that an owner gave you.": "Der Code, den du bekommen hast.",
    "The data on this device goes to the account, and comes to your other devices.":
      "Die Daten dieses Geräts gehen an das Konto und kommen auf deine anderen Geräte.",
    "This app was started without a server, so nothing can be shared.":
      "Die App läuft ohne Server, also lässt sich nichts teilen.",
    "Undo": "Zurücknehmen",
    "Use this language": "Diese Sprache verwenden",
    "Version": "Version",
    "You use %1 on this device, without an account.":
      "Du verwendest %1 auf diesem Gerät, ohne Konto.",
    "You can undo this on the next page.": "Auf der nächsten Seite lässt sich das zurücknehmen.",
    "Your data": "Deine Daten",
    "“%1” was deleted.": "„%1“ wurde gelöscht.",
  ]
}
