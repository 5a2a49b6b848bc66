import type { Expectation } from '@parley/contract'
import {
  checkCalls,
  checkOutcomes,
  checkSilence,
  checkSubAgents,
  checkWaiting,
  type Miss,
} from './check-deeds.js'
import type { Exchange } from './exchange.js'
import { holdsWords } from './matchers.js'

/** What it takes to check what words alone do not tell. */
export interface Opinions {
  /** From 0 to 1: how near the meaning of a text comes to another. */
  likeness(text: string, wanted: string): Promise<number>
  /** What the judge finds, having read the conversation. */
  judge(criterion: string): Promise<{ readonly holds: boolean; readonly reason: string }>
}

/** All that is not as expected; empty where everything is. */
export async function checkExchange(
  exchange: Exchange,
  expectations: readonly Expectation[],
  opinions: Opinions,
): Promise<Miss[]> {
  const misses: Miss[] = []
  for (const expectation of expectations) {
    misses.push(...checkWords(exchange, expectation), ...checkDeeds(exchange, expectation))
    misses.push(...checkManner(exchange, expectation))
    misses.push(...(await checkMeaning(exchange, expectation, opinions)))
  }
  return misses
}

function checkWords({ words }: Exchange, { says, saysNot }: Expectation): Miss[] {
  const got = words === '' ? 'nothing' : quote(words)
  return [
    ...(says === undefined || holdsWords(words, says)
      ? []
      : [{ expectation: 'says', wanted: quote(says), got }]),
    ...(saysNot === undefined || !holdsWords(words, saysNot)
      ? []
      : [{ expectation: 'saysNot', wanted: `not ${quote(saysNot)}`, got }]),
  ]
}

function checkDeeds(exchange: Exchange, expectation: Expectation): Miss[] {
  const { calls, called, callsNot, callsNothing, waitsFor, subAgent } = expectation
  return [
    ...(calls === undefined ? [] : checkCalls(exchange, calls)),
    ...(called === undefined ? [] : checkOutcomes(exchange, called)),
    ...(callsNot === undefined ? [] : checkSilence(exchange, listOf(callsNot))),
    ...(callsNothing === undefined ? [] : checkSilence(exchange, null)),
    ...(waitsFor === undefined ? [] : checkWaiting(exchange, waitsFor)),
    ...(subAgent === undefined ? [] : checkSubAgents(exchange, listOf(subAgent))),
  ]
}

/** Who was interrupted, and how soon it was answered. */
function checkManner(exchange: Exchange, { interrupted, withinMs }: Expectation): Miss[] {
  const wanted = interrupted === true ? 'agent' : interrupted === false ? 'nobody' : interrupted
  const isOther = wanted !== undefined && wanted !== exchange.interrupted
  const { firstMs } = exchange
  const isLate = withinMs !== undefined && firstMs !== null && firstMs > withinMs
  return [
    ...(isOther
      ? [{ expectation: 'interrupted', wanted: `${wanted} interrupted`, got: `${exchange.interrupted} was` }]
      : []),
    ...(isLate
      ? [{ expectation: 'withinMs', wanted: `${withinMs} ms at most`, got: `${Math.round(firstMs)} ms` }]
      : []),
    ...(withinMs !== undefined && firstMs === null && exchange.state === 'answered'
      ? [{ expectation: 'withinMs', wanted: `${withinMs} ms at most`, got: 'no answer' }]
      : []),
  ]
}

async function checkMeaning(
  { words }: Exchange,
  { means, judge }: Expectation,
  opinions: Opinions,
): Promise<Miss[]> {
  const misses: Miss[] = []
  if (means !== undefined) {
    const likeness = words === '' ? 0 : await opinions.likeness(words, means.text)
    if (likeness < means.atLeast)
      misses.push({
        expectation: 'means',
        wanted: `${quote(means.text)}, at least ${means.atLeast}`,
        got: `${likeness.toFixed(2)}: ${quote(words)}`,
      })
  }
  if (judge !== undefined) {
    const { holds, reason } = await opinions.judge(judge)
    if (!holds) misses.push({ expectation: 'judge', wanted: judge, got: reason })
  }
  return misses
}

function listOf(names: string | readonly string[]): readonly string[] {
  return typeof names === 'string' ? [names] : names
}

function quote(text: string): string {
  return /^\/.+\/[a-z]*$/s.test(text) ? text : JSON.stringify(text)
}
