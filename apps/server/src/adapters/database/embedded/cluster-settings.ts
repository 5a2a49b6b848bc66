/** The PostgreSQL that PGlite is built from. Its data directories fit no other major version. */
export const postgresMajorVersion = '18'

/** Segments of 1 MB rather than 16: a new data directory is small. `scripts/make-embedded-template.mjs` has it too. */
export const initdbParameters = ['--wal-segsize=1']

export const postgresSettings = [
  // Without these two the process takes 350 MB instead of 220.
  'shared_buffers=16MB',
  'max_connections=5',
  // How much of the log is kept after a checkpoint; see housekeeping.ts for when one is made.
  'max_wal_size=32MB',
  'min_wal_size=8MB',
  // A statement nested too deeply is refused well before the thread's own stack ends (see stackMegabytes).
  'max_stack_depth=1MB',
  'timezone=UTC',
]

/**
 * The stack of the database's thread. WebAssembly's calls are on it, and PostgreSQL cannot see how full it is:
 * with Node's 4 MB, JSON nested 100 000 levels deep broke the database down, with this it is refused.
 */
export const stackMegabytes = 32
