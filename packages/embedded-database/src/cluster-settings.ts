/** The PostgreSQL that PGlite is built from. Its data directories fit no other major version. */
export const postgresMajorVersion = '18'

/** Log segments of 1 MB instead of 16 keep a new data directory small. `scripts/make-template.mjs` has the same setting. */
export const initdbParameters = ['--wal-segsize=1']

export const postgresSettings = [
  // Without these two the process takes 350 MB instead of 220.
  'shared_buffers=16MB',
  'max_connections=5',
  // The size of the log after a checkpoint. housekeeping.ts decides when to make one.
  'max_wal_size=32MB',
  'min_wal_size=8MB',
  // PostgreSQL rejects a statement that is nested too deeply before the thread's own stack ends (see stackMegabytes).
  'max_stack_depth=1MB',
  // Samples 3000 rows of a table instead of 30 000, in a tenth of the time. All queries wait for an analyze.
  'default_statistics_target=10',
  'timezone=UTC',
]

/**
 * The stack of the database's thread. The calls of WebAssembly are on it, and PostgreSQL cannot see how full it is.
 * With Node's 4 MB, JSON nested 100 000 levels deep crashed the database. With this it is rejected.
 */
export const stackMegabytes = 32
