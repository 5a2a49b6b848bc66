import type pg from 'pg'
import { isAftermath } from './outage.js'
import { executeOn } from './queries/lean-query.js'
import type { QueryClient, QueryText } from './queries/query-client.js'
import type { StatementWatch } from './statement-watch.js'

const read = /^\s*select\b/i
const ignore = () => undefined

/*
 * One transaction on one connection, whose statements do not wait for the answers to those before: what is wanted in one
 * go is sent in one go. It begins together with its first statement, and its end takes along the statements that nobody
 * waits for. Sent one by one, a write of five statements takes seven round trips; so it takes two or three.
 *
 *   unused ──a statement that reads──► beginning, the statement behind it ──begun──► open ──commit | rollback──► over
 *      └────any other──► beginning, the statement and all after it held back ──┘
 *
 * Where no transaction begins, as on the embedded database when it is not free in time, what comes behind would be
 * executed by itself. So only what changes nothing does.
 */
export class PipelinedTransaction implements QueryClient {
  readonly #client: pg.PoolClient
  readonly #beginning: string
  readonly #watch: StatementWatch
  readonly #sent: PromiseLike<unknown>[] = []
  #begun: Promise<void> | null = null
  #isOpen = false
  #isHoldingBack = false
  #isGathering = false

  constructor(client: pg.PoolClient, beginning: string, watch: StatementWatch) {
    this.#client = client
    this.#beginning = beginning
    this.#watch = watch
  }

  query(config: QueryText, values: unknown[]): Promise<pg.QueryResult> {
    this.#gather()
    if (this.#isOpen) return executeOn(this.#client, config, values, this.#watch)
    const begun = this.#begin()
    this.#isHoldingBack ||= !read.test(config.text)
    if (this.#isHoldingBack) return begun.then(() => this.query(config, values))
    return Promise.all([begun, executeOn(this.#client, config, values, this.#watch)]).then(
      ([, result]) => result,
    )
  }

  readonly noteSent = (statement: PromiseLike<unknown>): void => {
    // Heard at once: a failure that nobody has heard of by the next pass would end the process.
    statement.then(ignore, ignore)
    this.#sent.push(statement)
  }

  async commit(): Promise<void> {
    if (this.#begun === null) return
    await this.#begun
    this.#gather()
    const { command } = await this.#client.query('commit')
    await this.#allSent()
    // That is how the database answers where a statement had failed and nobody passed it on.
    if (command === 'ROLLBACK')
      throw new Error('A statement of the transaction failed, so all of it was undone.')
  }

  /** For a transaction of which nothing is to stay; fails where it would have failed. */
  async undo(): Promise<void> {
    await this.rollBack()
    await this.#allSent()
  }

  async rollBack(): Promise<void> {
    if (this.#begun === null) return
    await this.#begun
    this.#gather()
    await this.#client.query('rollback')
  }

  /** Why the transaction failed: of a statement that nobody waited for, where one did. */
  async causeOf(error: unknown): Promise<unknown> {
    return this.#allSent().then(
      () => error,
      (cause) => (isAftermath(cause) ? error : cause),
    )
  }

  async #allSent(): Promise<void> {
    const failed = (await Promise.allSettled(this.#sent)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  #begin(): Promise<void> {
    this.#begun ??= this.#client.query(this.#beginning).then(() => {
      this.#isOpen = true
    })
    return this.#begun
  }

  /** What is sent from here on leaves in one piece, once whoever runs has nothing left to do. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }
}
