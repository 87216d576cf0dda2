CREATE TABLE activeCharters (
  userID TEXT PRIMARY KEY NOT NULL,
  charterID TEXT
);

CREATE TABLE charterChecklists (
  id TEXT PRIMARY KEY NOT NULL,
  charterID TEXT NOT NULL REFERENCES charters(id) ON DELETE CASCADE ON UPDATE CASCADE,
  checklistID TEXT NOT NULL,
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  sections TEXT NOT NULL DEFAULT '[]',
  creatorID TEXT NOT NULL,
  createdAt REAL NOT NULL,
  updatedAt REAL NOT NULL
);

CREATE TABLE charters (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  boatName TEXT,
  location TEXT,
  region TEXT,
  startDate REAL NOT NULL,
  endDate REAL NOT NULL,
  createdAt REAL NOT NULL,
  checkInChecklistID TEXT,
  guests INTEGER NOT NULL DEFAULT 6 CHECK (guests BETWEEN 1 AND 12),
  crew TEXT NOT NULL DEFAULT '[]',
  budget TEXT,
  syncStatus TEXT NOT NULL DEFAULT 'pending',
  isArchived INTEGER NOT NULL DEFAULT 0 CHECK (isArchived IN (0, 1)),
  searchText TEXT NOT NULL DEFAULT ''
);

CREATE TABLE checklistExecutionStates (
  id TEXT PRIMARY KEY NOT NULL,
  checklistID TEXT NOT NULL,
  charterID TEXT NOT NULL,
  itemStates TEXT NOT NULL DEFAULT '{}',
  progressPercentage REAL,
  createdAt DATETIME NOT NULL,
  lastUpdated DATETIME NOT NULL,
  completedAt DATETIME,
  syncStatus TEXT NOT NULL DEFAULT 'pending',
  UNIQUE (checklistID, charterID),
  FOREIGN KEY (charterID) REFERENCES charters(id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE checklistItemNotes (
  id TEXT PRIMARY KEY NOT NULL,
  checklistID TEXT NOT NULL,
  charterID TEXT NOT NULL REFERENCES charters(id) ON DELETE CASCADE ON UPDATE CASCADE,
  itemID TEXT NOT NULL,
  note TEXT,
  issue TEXT,
  lastUpdated DATETIME NOT NULL
);

CREATE TABLE checklists (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  sections TEXT NOT NULL DEFAULT '[]',
  creatorID TEXT NOT NULL,
  createdAt REAL NOT NULL,
  updatedAt REAL NOT NULL
);

CREATE TABLE flashcardDecks (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  cards TEXT NOT NULL DEFAULT '[]',
  creatorID TEXT NOT NULL,
  createdAt REAL NOT NULL,
  updatedAt REAL NOT NULL
);

CREATE TABLE flashcardProgress (
  id TEXT PRIMARY KEY NOT NULL,
  userID TEXT NOT NULL,
  deckID TEXT NOT NULL REFERENCES flashcardDecks(id) ON DELETE CASCADE ON UPDATE CASCADE,
  cardID TEXT NOT NULL,
  knownCount INTEGER NOT NULL DEFAULT 0,
  dueAt DATETIME NOT NULL,
  lastUpdated DATETIME NOT NULL
);

CREATE TABLE practiceGuides (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '[]',
  creatorID TEXT NOT NULL,
  createdAt REAL NOT NULL,
  updatedAt REAL NOT NULL
);

CREATE TABLE settings (
  name TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
);

CREATE INDEX idx_charterChecklists_charter ON charterChecklists(charterID, position);

CREATE INDEX idx_charters_end ON charters(isArchived, endDate, id, startDate);

CREATE INDEX idx_charters_start ON charters(isArchived, startDate, id, endDate);

CREATE INDEX idx_checklists_creator ON checklists(creatorID);

CREATE INDEX idx_executionStates_charter ON checklistExecutionStates(charterID);

CREATE INDEX idx_executionStates_checklist ON checklistExecutionStates(checklistID);

CREATE INDEX idx_executionStates_updated ON checklistExecutionStates(lastUpdated);

CREATE INDEX idx_flashcardProgress_deck ON flashcardProgress(deckID, userID);

CREATE INDEX idx_itemNotes_charter ON checklistItemNotes(charterID, checklistID);

CREATE TABLE _migrations (
  name TEXT PRIMARY KEY NOT NULL,
  position INTEGER NOT NULL,
  appliedAt TEXT
);
INSERT INTO _migrations VALUES ('v1.0.0_createInitialSchema', 1, NULL);
INSERT INTO _migrations VALUES ('v1.1.0_createLibrarySchema', 2, NULL);
INSERT INTO _migrations VALUES ('v1.2.0_createChecklistExecutionSchema', 3, NULL);
INSERT INTO _migrations VALUES ('v1.3.0_createItemNotesAndSettings', 4, NULL);
INSERT INTO _migrations VALUES ('v1.4.0_addArchiveToCharters', 5, NULL);
INSERT INTO _migrations VALUES ('v1.5.0_addSearchTextToCharters', 6, NULL);
INSERT INTO _migrations VALUES ('v1.6.0_createPracticeGuides', 7, NULL);
INSERT INTO _migrations VALUES ('v1.7.0_createFlashcards', 8, NULL);
INSERT INTO _migrations VALUES ('v1.8.0_createCharterChecklists', 9, NULL);
INSERT INTO _migrations VALUES ('v1.9.0_snapshotBegunChecklists', 10, NULL);
INSERT INTO _migrations VALUES ('v1.10.0_createActiveCharters', 11, NULL);
INSERT INTO _migrations VALUES ('v1.11.0_keepCharterDaysInUTC', 12, NULL);
