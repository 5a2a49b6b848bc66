import type { Expectation, TestTurn } from '@parley/contract'
import { checkExchange, type Miss, type Opinions } from './check-exchange.js'
import { describeExchange, type Exchange, type Line, type Talk } from './exchange.js'
import type { PlannedTest } from './test-plan.js'

export interface RunOutcome {
  /** `broken` if the run has no verdict. */
  readonly kind: 'passed' | 'failed' | 'broken'
  readonly misses: readonly Miss[]
  /** Why the run is broken, or null. */
  readonly reason: string | null
  readonly transcript: readonly string[]
  readonly milliseconds: number
}

/** Plays the user: returns the next message, or that the user is done. */
export type NextMessage = (answer: Exchange | null) => Promise<UserMove>

export type UserMove =
  | { readonly kind: 'says'; readonly words: string }
  | { readonly kind: 'reached' }
  | { readonly kind: 'gives-up'; readonly reason: string }

/** The record of a run. It is available to the judge, and also if the run fails midway. */
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

  /** Replaces the last exchange after a person's decision. */
  goOn(exchange: Exchange, decision: string): void {
    this.#told = [...this.#told.slice(0, -1), { exchange, decision }]
  }
}

/** The maximum number of decisions in one turn, for agents that keep asking. */
const maxDecisions = 10

interface Running {
  readonly test: PlannedTest
  readonly talk: Talk
  readonly record: RunRecord
  readonly opinions: Opinions
}

/** Runs the turns until one does not meet its expectations. */
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
  const line: Line = { words: turn.user, interrupts: turn.bargeInAfterMs !== undefined, listenMs }
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

/**
 * Checks rules that hold for every test: there is an answer, and no call waits unless the test expects it.
 */
function checkState(exchange: Exchange, { expect, decide }: TestTurn): Miss[] {
  const isWaitExpected = expect.some((expectation: Expectation) => expectation.waitsFor !== undefined)
  if (exchange.state === 'waiting' && decide === undefined && !isWaitExpected) {
    const waiting = exchange.calls.filter(({ status }) => status === 'waiting').map(({ tool }) => tool)
    const wanted = 'an answer (or waitsFor and decide in the test)'
    return [{ expectation: 'answer', wanted, got: `these calls wait for a person: ${waiting.join(', ')}` }]
  }
  if (decide !== undefined && exchange.state === 'answered')
    return [{ expectation: 'decide', wanted: `a call to ${decide}`, got: 'no call waited for a decision' }]
  return checkEnd(exchange)
}

function checkEnd({ state, failure }: Exchange): Miss[] {
  return state === 'failed' ? [{ expectation: 'answer', wanted: 'an answer', got: failure ?? 'none' }] : []
}

/** Lets a simulated user talk until the user reaches the goal or gives up. */
export async function runGoal(running: Running, nextMessage: NextMessage, maxTurns: number): Promise<void> {
  const { test, talk, record, opinions } = running
  let answer: Exchange | null = null
  for (let count = 0; count <= maxTurns; count += 1) {
    const move = await nextMessage(answer)
    if (move.kind === 'reached') break
    const isLast = count === maxTurns
    if (move.kind === 'gives-up' || isLast) {
      const got =
        move.kind === 'gives-up' ? `the user gave up: ${move.reason}` : `not reached after ${maxTurns} turns`
      record.misses.push({ expectation: 'goal', wanted: 'the goal is reached', got })
      break
    }
    answer = await talk.say({ words: move.words, interrupts: false, listenMs: null })
    // A simulated user approves all calls.
    for (let decisions = 0; answer.state === 'waiting' && decisions < maxDecisions; decisions += 1)
      answer = await talk.decide({ decision: 'approve', reason: null })
    record.add(answer)
    const wanted = test.withinMs === null ? [] : [{ withinMs: test.withinMs }]
    record.misses.push(...checkEnd(answer), ...(await checkExchange(answer, wanted, opinions)))
    if (record.misses.length > 0) return
  }
  record.misses.push(...(await checkExchange(wholeOf(record), test.expect, opinions)))
}

/** Returns the conversation as one exchange, with the text and calls of all answers. */
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
