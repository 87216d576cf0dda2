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
  syncStatus TEXT NOT NULL DEFAULT 'pending'
);

CREATE INDEX idx_charters_endDate ON charters(endDate);

CREATE INDEX idx_charters_startDate ON charters(startDate);

CREATE TABLE _migrations (
  name TEXT PRIMARY KEY NOT NULL,
  position INTEGER NOT NULL,
  appliedAt TEXT
);
INSERT INTO _migrations VALUES ('v1.0.0_createInitialSchema', 1, NULL);
