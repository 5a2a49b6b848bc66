import { afterAll, beforeAll } from 'vitest'
import { makeTestClock, type TestClock } from '../test-clock.js'
import { makeTestTimers, type TestTimers } from '../test-timers.js'
import { type RealtimeTestService, startRealtimeService } from './realtime-service.js'

interface Limits {
  readonly ttlSeconds: number
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
  readonly connectTimeoutSeconds: number
  readonly maxMessageBytes: number
  readonly formats: readonly string[]
}

export interface TimedService {
  readonly service: RealtimeTestService
  readonly clock: TestClock
  readonly timers: TestTimers
}

export const defaultLimits: Limits = {
  ttlSeconds: 60,
  maxSessionSeconds: 1800,
  idleTimeoutSeconds: 60,
  connectTimeoutSeconds: 15,
  maxMessageBytes: 65_536,
  formats: ['pcm16'],
}

export const chosenLimits: Limits = {
  ttlSeconds: 5,
  maxSessionSeconds: 30,
  idleTimeoutSeconds: 10,
  connectTimeoutSeconds: 3,
  maxMessageBytes: 2048,
  formats: ['g711_ulaw', 'g711_alaw'],
}

/** One service with every default, and one with limits and its own model, for the tests of a file. */
export function useLimitedServices(): { readonly plain: TimedService; readonly configured: TimedService } {
  let plain: TimedService
  let configured: TimedService

  beforeAll(async () => {
    plain = await startTimedService({})
    configured = await startTimedService({
      PARLEY_REALTIME_SESSION_TTL_SECONDS: String(chosenLimits.ttlSeconds),
      PARLEY_REALTIME_MAX_SESSION_SECONDS: String(chosenLimits.maxSessionSeconds),
      PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: String(chosenLimits.idleTimeoutSeconds),
      PARLEY_REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: String(chosenLimits.connectTimeoutSeconds),
      PARLEY_REALTIME_MAX_MESSAGE_BYTES: String(chosenLimits.maxMessageBytes),
      PARLEY_REALTIME_INPUT_FORMATS: chosenLimits.formats.join(),
      PARLEY_REALTIME_OUTPUT_FORMATS: chosenLimits.formats.join(),
      PARLEY_REALTIME_MODEL: 'some-realtime-model',
    })
  })

  afterAll(async () => {
    await plain.service.close()
    await configured.service.close()
  })

  return {
    get plain() {
      return plain
    },
    get configured() {
      return configured
    },
  }
}

async function startTimedService(env: Readonly<Record<string, string>>): Promise<TimedService> {
  const clock = makeTestClock()
  const timers = makeTestTimers()
  return { service: await startRealtimeService({ env, clock, timers }), clock, timers }
}
