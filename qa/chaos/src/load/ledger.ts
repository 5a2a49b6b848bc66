import type {
  ClientRecords,
  DecisionEntry,
  FileEntry,
  QuestionEntry,
  SessionEntry,
  TaskEntry,
  UnexpectedResponse,
} from '../records/client-records.js'
import type { HttpResponse } from './http-call.js'

type Growing<Entry> = { -readonly [Field in keyof Entry]: Entry[Field] }

/**
 * Statuses that are expected during an outage. A permanent outage is detected elsewhere, because no further work is
 * acknowledged.
 */
const excused = new Set([429, 503])
const maxBodyCharacters = 300

/** The load's own record while it runs. */
export class Ledger {
  readonly sessions: Growing<SessionEntry>[] = []
  readonly decisions: Growing<DecisionEntry>[] = []
  readonly questions: QuestionEntry[] = []
  readonly files: FileEntry[] = []
  readonly tasks: TaskEntry[] = []
  readonly #strange: UnexpectedResponse[] = []
  readonly #answers: Record<string, number> = {}

  /** Records the answer to a call. Returns the body if the status is expected, or null. */
  note(what: string, answer: HttpResponse, expected: readonly number[]): Buffer | null {
    this.count(answer.ok ? String(answer.status) : answer.code)
    if (!answer.ok || excused.has(answer.status)) return null
    if (expected.includes(answer.status)) return answer.body
    const text = answer.body.toString('utf8').slice(0, maxBodyCharacters)
    this.strange(`${what} was answered with ${answer.status}: ${text}`)
    return null
  }

  count(name: string): void {
    this.#answers[name] = (this.#answers[name] ?? 0) + 1
  }

  strange(what: string): void {
    this.#strange.push({ what, at: Date.now() })
  }

  records(): ClientRecords {
    const { sessions, decisions, questions, files, tasks } = this
    return { sessions, decisions, questions, files, tasks, strange: this.#strange, answers: this.#answers }
  }
}
