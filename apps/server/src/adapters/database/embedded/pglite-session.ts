import { PGlite } from '@electric-sql/pglite'
import { postgresSettings } from './cluster-settings.js'
import { type Block, OutputBlocks } from './output-blocks.js'
import type { Activity } from './stall-watch.js'
import { makeMessage, makeStrings, type SessionStatus } from './wire-messages.js'

const sync = makeMessage('S')
const rollback = makeMessage('Q', makeStrings('rollback'))

/** The database itself: one session, one statement at a time. Callers use it one after the other, under its lock. */
export class PgliteSession {
  readonly #database: PGlite
  readonly #activity: Activity

  static async open(directory: string, activity: Activity): Promise<PgliteSession> {
    const complaints: string[] = []
    try {
      const database = await PGlite.create({
        dataDir: directory,
        postgresqlconf: postgresSettings,
        onStderr(line) {
          if (/FATAL|PANIC/.test(line)) complaints.push(line)
          return false
        },
      })
      return new PgliteSession(database, activity)
    } catch (cause) {
      const reason = complaints.join(' ') || (cause instanceof Error ? cause.message : String(cause))
      throw new Error(`The database in ${directory} cannot be opened: ${reason}`, { cause })
    }
  }

  private constructor(database: PGlite, activity: Activity) {
    this.#database = database
    this.#activity = activity
  }

  /** Executes messages that end in Query or Sync. */
  async run(messages: Uint8Array, send: (block: Block) => void): Promise<SessionStatus> {
    const { status } = await this.#execute(messages, send)
    // PGlite swallows the trap when PostgreSQL dies inside it; all that is seen is an answer without an end.
    if (status === null) throw new Error('The embedded database broke down in the middle of a statement.')
    return status
  }

  /** Executes messages after which the client goes on: the database is not ready for anybody else. */
  async runPart(messages: Uint8Array, send: (block: Block) => void): Promise<void> {
    await this.#execute(messages, send)
  }

  /** Brings the session out of whatever its last user left it in. */
  async reset(closeStatements: readonly Uint8Array[] = []): Promise<void> {
    const status = await this.run(Buffer.concat([...closeStatements, sync]), ignore)
    if (status !== 'idle') await this.run(rollback, ignore)
  }

  /** For the service's own statements; connections speak the protocol. */
  async query<Row>(text: string): Promise<Row[]> {
    return this.#activity.during(async () => (await this.#database.query<Row>(text)).rows)
  }

  /** The data directory as a tar archive. Nothing runs meanwhile, so it is of one moment. */
  async dump(): Promise<ArrayBuffer> {
    await this.query('checkpoint')
    return this.#activity.during(async () => (await this.#database.dumpDataDir('none')).arrayBuffer())
  }

  /** Checkpoints, so that the next start has nothing to recover. */
  async close(): Promise<void> {
    await this.#activity.during(() => this.#database.close())
  }

  get activityCount(): number {
    return this.#activity.count
  }

  async #execute(messages: Uint8Array, send: (block: Block) => void): Promise<OutputBlocks> {
    const output = new OutputBlocks(send)
    await this.#activity.during(() =>
      this.#database.execProtocolRawStream(messages, {
        syncToFs: false,
        onRawData: (piece) => output.append(piece),
      }),
    )
    output.flush()
    return output
  }
}

function ignore(): void {}
