export interface LockOwner {
  readonly pid: number
  readonly host: string
}

/** Another process, or this one, has the data directory open. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
  readonly dataDir: string
  /** null when it did not say who it is. */
  readonly owner: LockOwner | null

  constructor(dataDir: string, owner: LockOwner | null) {
    const who = owner ? `process ${owner.pid} on host ${owner.host}` : 'another process'
    super(
      `The data directory ${dataDir} is in use by ${who}. Stop that process, or give this one a directory of its own; ` +
        'processes that are to share their data need PostgreSQL (DATABASE_URL).',
    )
    this.dataDir = dataDir
    this.owner = owner
  }
}
