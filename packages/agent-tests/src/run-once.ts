import type { Expectation, TestTurn } from '@parley/contract'
import { checkExchange, type Miss, type Opinions } from './check-exchange.js'
import { describeExchange, type Exchange, type Line, type Talk } from './exchange.js'
import type { PlannedTest } from './test-plan.js'

/** What came of one run of a test. */
export interface RunOutcome {
  /** `broken` where it could not be told: nothing was judged. */
  readonly kind: 'passed' | 'failed' | 'broken'
  readonly misses: readonly Miss[]
  /** Why it is broken; null where it is not. */
  readonly reason: string | null
  readonly transcript: readonly string[]
  readonly milliseconds: number
}

/** Whoever plays the user: says the next words, or that there are none. */
export type NextWords = (answer: Exchange | null) => Promise<UserMove>

export type UserMove =
  | { readonly kind: 'says'; readonly words: string }
  | { readonly kind: 'reached' }
  | { readonly kind: 'gives-up'; readonly reason: string }

/** A run as it goes on: who fails in its middle, or judges it, has what there is of it so far. */
export class RunRecord {
  readonly misses: Miss[] = []
  #told: { readonly exchange: Exchange; readonly decision: string | null }[] = []

  get exchanges(): readonly Exchange[] {
    return this.#told.map(({ exchange }) => exchange)
  }

  get transcript(): readonly string[] {
    return this.#told.flatMap(({ exchange, decision }) => describeExchange(exchange, decision))
  }

  add(exchange: Exchange): void {
    this.#told.push({ exchange, decision: null })
  }

  /** The last exchange has gone on after a person's decision. */
  goOn(exchange: Exchange, decision: string): void {
    this.#told = [...this.#told.slice(0, -1), { exchange, decision }]
  }
}

/** How often one turn may ask a person; an agent that asks on and on is not waited for. */
const maxDecisions = 10

interface Running {
  readonly test: PlannedTest
  readonly talk: Talk
  readonly record: RunRecord
  readonly opinions: Opinions
}

/** Turn after turn, until one is not as expected. */
export async function runTurns(running: Running, turns: readonly TestTurn[]): Promise<void> {
  const { test, record, opinions } = running
  for (const [index, turn] of turns.entries()) {
    await runTurn(running, turn, turns[index + 1]?.bargeInAfterMs ?? null)
    if (record.misses.length > 0) return
  }
  record.misses.push(...(await checkExchange(wholeOf(record), test.expect, opinions)))
}

async function runTurn(running: Running, turn: TestTurn, listenMs: number | null): Promise<void> {
  const { test, talk, record, opinions } = running
  const line: Line = { words: turn.user, breaksIn: turn.bargeInAfterMs !== undefined, listenMs }
  const exchange = await talk.say(line)
  record.add(exchange)
  const wanted = [...turn.expect, ...(test.withinMs === null ? [] : [{ withinMs: test.withinMs }])]
  const misses = [...checkState(exchange, turn), ...(await checkExchange(exchange, wanted, opinions))]
  record.misses.push(...misses)
  if (turn.decide === undefined || exchange.state !== 'waiting' || misses.length > 0) return
  const { decide: decision, reason = null } = turn
  let after = await talk.decide({ decision, reason })
  for (let count = 1; after.state === 'waiting' && count < maxDecisions; count += 1)
    after = await talk.decide({ decision, reason })
  record.goOn(after, reason === null ? `${decision}s` : `${decision}s: ${reason}`)
  record.misses.push(...checkEnd(after), ...(await checkExchange(after, turn.then, opinions)))
}

/** What no test has to say: that there is an answer, and that nobody waits whom the test does not speak of. */
function checkState(exchange: Exchange, { expect, decide }: TestTurn): Miss[] {
  const isWaitExpected = expect.some((expectation: Expectation) => expectation.waitsFor !== undefined)
  if (exchange.state === 'waiting' && decide === undefined && !isWaitExpected) {
    const waiting = exchange.calls.filter(({ status }) => status === 'waiting').map(({ tool }) => tool)
    const wanted = 'an answer (or waitsFor and decide in the test)'
    return [{ expectation: 'answer', wanted, got: `a person is waited for: ${waiting.join(', ')}` }]
  }
  if (decide !== undefined && exchange.state === 'answered')
    return [{ expectation: 'decide', wanted: `a call to ${decide}`, got: 'nothing waited for a person' }]
  return checkEnd(exchange)
}

function checkEnd({ state, failure }: Exchange): Miss[] {
  return state === 'failed' ? [{ expectation: 'answer', wanted: 'an answer', got: failure ?? 'none' }] : []
}

/** A user with a goal, until it is reached or given up. */
export async function runGoal(running: Running, nextWords: NextWords, maxTurns: number): Promise<void> {
  const { test, talk, record, opinions } = running
  let answer: Exchange | null = null
  for (let count = 0; count <= maxTurns; count += 1) {
    const move = await nextWords(answer)
    if (move.kind === 'reached') break
    const isLast = count === maxTurns
    if (move.kind === 'gives-up' || isLast) {
      const got =
        move.kind === 'gives-up' ? `the user gave up: ${move.reason}` : `not after ${maxTurns} turns`
      record.misses.push({ expectation: 'goal', wanted: 'the goal is reached', got })
      break
    }
    answer = await talk.say({ words: move.words, breaksIn: false, listenMs: null })
    // Whoever only plays a user allows what they have asked for.
    for (let decisions = 0; answer.state === 'waiting' && decisions < maxDecisions; decisions += 1)
      answer = await talk.decide({ decision: 'approve', reason: null })
    record.add(answer)
    const wanted = test.withinMs === null ? [] : [{ withinMs: test.withinMs }]
    record.misses.push(...checkEnd(answer), ...(await checkExchange(answer, wanted, opinions)))
    if (record.misses.length > 0) return
  }
  record.misses.push(...(await checkExchange(wholeOf(record), test.expect, opinions)))
}

/** The conversation as one exchange: what any of its answers said, and all that was done. */
function wholeOf({ exchanges }: RunRecord): Exchange {
  const firsts = exchanges.flatMap(({ firstMs }) => firstMs ?? [])
  return {
    user: '',
    words: exchanges.map(({ words }) => words).join('\n'),
    calls: exchanges.flatMap(({ calls }) => calls),
    subAgents: exchanges.flatMap(({ subAgents }) => subAgents),
    firstMs: firsts.length === 0 ? null : Math.max(...firsts),
    state: 'answered',
    failure: null,
    interrupted: exchanges.find(({ interrupted }) => interrupted !== 'nobody')?.interrupted ?? 'nobody',
  }
}
