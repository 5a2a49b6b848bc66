import { OneConnectionPool } from '@parley/embedded-database'
import type pg from 'pg'
import { IdleLimit } from './idle-limit.js'
import { isAbortedTransaction, isReadOnly } from './outage.js'
import { type Executor, StatementRunner, type StatementText } from './run-statement.js'
import { SessionlessPool } from './sessionless-pool.js'
import { type StatementWatch, unwatched } from './statement-watch.js'

const selects = /^\s*select\b/i
const ignore = () => undefined

/*
 * One transaction on one connection. Its statements do not wait for each other's results, because `pipeline:
 * true` of the pool sends them immediately. `begin` is sent together with the first statement, and `commit`
 * together with the writes that the caller does not await. A write with five statements takes seven round
 * trips one by one, and two or three this way.
 *
 *   unused ──a select──► beginning, the statement sent behind `begin` ──begun──► open ──commit | rollback──► over
 *      └────any other──► beginning, this and all later statements held back ──┘
 *
 * If `begin` fails, PostgreSQL runs the statements behind it outside any transaction. So only selects are
 * sent then.
 */
class Transaction implements Executor {
  readonly #client: pg.PoolClient
  readonly #runner: StatementRunner
  readonly #beginning: string
  readonly #idleLimit: IdleLimit | null
  readonly #sent: PromiseLike<unknown>[] = []
  #begun: Promise<void> | null = null
  #state: 'beginning' | 'open' | 'over' = 'beginning'
  #isHoldingBack = false

  constructor(
    client: pg.PoolClient,
    runner: StatementRunner,
    beginning: string,
    idleLimit: IdleLimit | null,
  ) {
    this.#client = client
    this.#runner = runner
    this.#beginning = beginning
    this.#idleLimit = idleLimit
  }

  execute(statement: StatementText, values: unknown[]): Promise<pg.QueryResult> {
    const answer = this.#execute(statement, values)
    return this.#idleLimit?.during(answer) ?? answer
  }

  async #execute(statement: StatementText, values: unknown[]): Promise<pg.QueryResult> {
    // The connection may already run the transaction of another caller.
    if (this.#state === 'over') throw new Error('The transaction has ended.')
    if (this.#state === 'open') return this.#runner.executeOn(this.#client, statement, values)
    const begun = this.#begin()
    this.#isHoldingBack ||= !selects.test(statement.text)
    if (this.#isHoldingBack) {
      await begun
      return this.#execute(statement, values)
    }
    const [result] = await Promise.all([this.#runner.executeOn(this.#client, statement, values), begun])
    return result
  }

  /** Runs statements outside drizzle, after another statement has started the transaction. */
  withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const answer = work(this.#client)
    return this.#idleLimit?.during(answer) ?? answer
  }

  readonly noteSent = (statement: PromiseLike<unknown>): void => {
    // A handler is attached immediately, because an unhandled rejection would crash the process.
    statement.then(ignore, ignore)
    this.#sent.push(statement)
  }

  async commit(): Promise<void> {
    if (this.#begun === null) return
    await this.#begun
    const { command } = await this.#client.query('commit')
    await this.#allSent()
    // PostgreSQL returns this to a commit if a statement failed and the caller ignored the error.
    if (command === 'ROLLBACK')
      throw new Error('A statement of the transaction failed, so the transaction was rolled back.')
  }

  /** Rolls back the transaction. Throws if a statement failed, as `commit` would. */
  async undo(): Promise<void> {
    await this.rollBack()
    await this.#allSent()
  }

  async rollBack(): Promise<void> {
    if (this.#begun === null) return
    await this.#begun
    await this.#client.query('rollback')
  }

  /**
   * Returns the cause of a failure: the first error of a statement that the caller did not await, or else
   * `error`.
   */
  async causeOf(error: unknown): Promise<unknown> {
    return this.#allSent().then(
      () => error,
      (cause) => (isAbortedTransaction(cause) ? error : cause),
    )
  }

  close(): void {
    this.#state = 'over'
  }

  async #allSent(): Promise<void> {
    const failed = (await Promise.allSettled(this.#sent)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  #begin(): Promise<void> {
    this.#begun ??= this.#client.query(this.#beginning).then(() => {
      this.#state = 'open'
    })
    return this.#begun
  }
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

/** Runs `work` in a transaction on one connection of the pool. */
export function inTransaction<Result>(
  pool: pg.Pool,
  work: Work<Result>,
  watch: StatementWatch = unwatched,
): Promise<Result> {
  return runInTransaction({ pool, watch }, work, (transaction) => transaction.commit())
}

/** Runs `work` like `inTransaction`, but always rolls it back. */
export function inRolledBackTransaction<Result>(
  pool: pg.Pool,
  work: Work<Result>,
  watch: StatementWatch = unwatched,
): Promise<Result> {
  return runInTransaction({ pool, watch }, work, (transaction) => transaction.undo())
}

async function runInTransaction<Result>(
  { pool, watch }: { readonly pool: pg.Pool; readonly watch: StatementWatch },
  work: Work<Result>,
  end: (transaction: Transaction) => Promise<void>,
): Promise<Result> {
  const askedAt = performance.now()
  const client = await pool.connect().catch((error: unknown) => {
    watch.fail(error, askedAt)
    throw error
  })
  const beginning = pool instanceof SessionlessPool ? pool.begin : 'begin'
  const idleLimit = pool instanceof OneConnectionPool ? new IdleLimit(pool.idleTransactionMilliseconds) : null
  const transaction = new Transaction(client, new StatementRunner(pool, watch), beginning, idleLimit)
  let isBroken = false
  try {
    const run = () => inside(pool, () => work(transaction))
    const result = await (idleLimit?.bound(run) ?? run())
    await end(transaction)
    return result
  } catch (error) {
    const cause = await transaction.causeOf(error)
    watch.fail(cause, askedAt)
    // The server has become a read-only replica. The next connection may lead to the new primary.
    isBroken = isReadOnly(cause)
    await transaction.rollBack().catch(() => {
      isBroken = true
    })
    throw cause
  } finally {
    transaction.close()
    client.release(isBroken)
  }
}

/** The embedded database rejects work that would wait for the connection that its own transaction holds. */
function inside<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  return pool instanceof OneConnectionPool ? pool.inside(work) : work()
}
