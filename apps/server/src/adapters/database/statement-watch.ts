import type { StatementObserver, StatementOperation } from '../../ports/database.js'

const operations: ReadonlySet<string> = new Set<StatementOperation>([
  'select',
  'insert',
  'update',
  'delete',
  'with',
])

/** A statement that was requested and has not ended. */
export interface WatchedStatement {
  /** Called when a connection is available and the statement is sent. */
  sent(): void
  /** Called when the statement has ended, with its error if it failed. */
  end(failure: unknown): void
}

/** Observes the start and end of every statement of a database. */
export class StatementWatch {
  readonly #observers: StatementObserver[] = []
  readonly #onFailure: (error: unknown, askedAt: number) => void

  constructor(onFailure: (error: unknown, askedAt: number) => void) {
    this.#onFailure = onFailure
  }

  observe(observer: StatementObserver): void {
    this.#observers.push(observer)
  }

  begin({ text, name }: { readonly text: string; readonly name?: string | undefined }): WatchedStatement {
    const operation = operationOf(text)
    const ends = this.#observers.map((observer) => observer({ operation, name: name || null }))
    const askedAt = performance.now()
    let sentAt: number | null = null
    return {
      sent() {
        sentAt = performance.now()
      },
      end: (failure) => {
        const milliseconds = sentAt === null ? null : performance.now() - sentAt
        for (const end of ends) end({ operation, milliseconds, failure })
        if (failure !== null) this.#onFailure(failure, askedAt)
      },
    }
  }

  /**
   * Reports a failure without a statement: either no connection was available, or a transaction could not
   * start or end.
   */
  fail(error: unknown, askedAt: number): void {
    this.#onFailure(error, askedAt)
  }
}

/** For statements that are not observed. */
export const unwatched = new StatementWatch(() => undefined)

const firstWord = /^\s*([a-z]+)/i

function operationOf(text: string): StatementOperation {
  const word = firstWord.exec(text)?.[1]?.toLowerCase() ?? ''
  return isOperation(word) ? word : 'other'
}

const isOperation = (word: string): word is StatementOperation => operations.has(word)
