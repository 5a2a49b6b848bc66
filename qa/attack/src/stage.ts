import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '@parley/stage/service/api'
import { Attacker } from './attacker.js'
import { HostileServer } from './hostile/hostile-server.js'

/** The resources of an attack. */
export interface Stage {
  /** An attacker with all permissions of one organization. */
  readonly attacker: Attacker
  /** A member of another organization, for calls that the canary does not make every 100 ms. */
  readonly neighbor: Attacker
  readonly hostile: HostileServer
  /** The connection to the hostile server. */
  readonly connectionId: string
  /** The size of the attack: 1 is full, less is shorter. */
  readonly scale: number
}

/** Returns a short description of the attack's result. Throws if the attack could not be made. */
export interface Attack {
  readonly name: string
  /** Completes "An attacker …". */
  readonly about: string
  /** Makes the service load everything that it loads once, before its memory is measured. */
  warmUp?(stage: Stage): Promise<void>
  run(stage: Stage): Promise<string>
}

export async function setUpStage(
  url: string,
  credentials: { readonly attacker: Credentials; readonly neighbor: Credentials },
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
  return { attacker, neighbor: new Attacker(url, credentials.neighbor), hostile, connectionId }
}

/** Scales a number. The result is at least one. */
export function scaled(full: number, scale: number): number {
  return Math.max(1, Math.round(full * scale))
}

/** Returns the result of the promise. Throws if it takes too long. */
export async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | null> {
  return Promise.race([promise, sleep(milliseconds, null, { ref: false })])
}

/** "200 of 201, 3 of 503". */
export function tally(outcomes: readonly (string | number)[]): string {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(String(outcome), (counts.get(String(outcome)) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} x ${outcome}`).join(', ')
}
