import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '@parley/stage/service/api'
import { Attacker } from './attacker.js'
import { HostileServer } from './hostile/hostile-server.js'

/** What an attack has to work with. */
export interface Stage {
  /** Somebody who is allowed in, and may do all that one may do in one organization. */
  readonly attacker: Attacker
  /** Somebody of another organization, for what the canary does not do every 100 ms. */
  readonly neighbour: Attacker
  readonly hostile: HostileServer
  /** The connection that leads to the hostile server. */
  readonly connectionId: string
  /** How much of a full attack it is to be: 1, or less where it has to be short. */
  readonly scale: number
}

/** An attack says what came of it in a few words; where it could not be made it throws. */
export interface Attack {
  readonly name: string
  /** Completes "somebody who …". */
  readonly about: string
  /** Has the service load what it loads once, before its memory is measured. */
  warmUp?(stage: Stage): Promise<void>
  run(stage: Stage): Promise<string>
}

export async function setUpStage(
  url: string,
  credentials: { readonly attacker: Credentials; readonly neighbour: Credentials },
): Promise<Omit<Stage, 'scale'>> {
  const hostile = await HostileServer.start()
  const attacker = new Attacker(url, credentials.attacker)
  const { id: connectionId } = await attacker.create('Connection', {
    name: 'Hostile',
    kind: 'openai-compatible',
    baseUrl: `${hostile.origin}/v1`,
    apiKey: 'sk-hostile',
    models: { chat: 'brief', realtime: ['quiet'] },
  })
  return { attacker, neighbour: new Attacker(url, credentials.neighbour), hostile, connectionId }
}

/** So much of it as the scale asks for, and at least one. */
export function scaled(full: number, scale: number): number {
  return Math.max(1, Math.round(full * scale))
}

/** What comes first: the promise, or that it takes too long. */
export async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | null> {
  return Promise.race([promise, sleep(milliseconds, null, { ref: false })])
}

/** "200 of 201, 3 of 503". */
export function tally(outcomes: readonly (string | number)[]): string {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(String(outcome), (counts.get(String(outcome)) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} x ${outcome}`).join(', ')
}
