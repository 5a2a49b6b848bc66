import { setImmediate as nextPass } from 'node:timers/promises'
import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { WebhookMetrics } from '../../ports/metrics.js'
import type { ClaimedDelivery, SettledDelivery } from '../../ports/webhook-stores.js'
import { throughOutages } from '../durability/ordered-writes.js'
import {
  type AttemptDependencies,
  type AttemptOutcome,
  attemptDelivery,
  nextAttemptAt,
  perWebhook,
} from './attempt-delivery.js'
import { expandEvents, reviewFailing } from './expand-events.js'

/** Attempts under way here at once; no more than half of them at receivers that fail. */
const maxUnderWay = 200
const maxFailingUnderWay = 100

/** After that many failures, some three minutes, later events of the same thing do not wait for this one any more. */
const attemptsInOrder = 4

const maxKeptAttempts = 12

/** How often it is asked whether there are webhooks at all, where there were none. */
const dormantMilliseconds = 1000

export interface WebhookDeliveriesDependencies extends AttemptDependencies {
  readonly database: Database
  readonly log: Log
  readonly metrics: WebhookMetrics
  readonly instanceId: string
  readonly leaseSeconds: number
}

interface Finished {
  readonly delivery: ClaimedDelivery
  readonly outcome: AttemptOutcome
}

/** The deliveries that this instance attempts: it claims what is due, attempts it, and writes down what came of it. */
export class WebhookDeliveries {
  readonly #dependencies: WebhookDeliveriesDependencies
  readonly #stopping = new AbortController()
  readonly #underWay = new Map<Promise<void>, { readonly isFailing: boolean }>()
  readonly #finished: Finished[] = []
  #settling: Promise<void> | null = null
  #isStopped = false
  #dormantSince: number | null = null
  /** Called when places have become free: what waits may be claimed. */
  onRoom: () => void = () => undefined

  constructor(dependencies: WebhookDeliveriesDependencies) {
    this.#dependencies = dependencies
  }

  /** Makes deliveries of what has happened, and begins to attempt what is due. */
  async poll(): Promise<void> {
    if (this.#isStopped || (await this.#isDormant())) return
    while (await expandEvents(this.#dependencies)) await this.#claim()
    await this.#claim()
  }

  /** Begins nothing more, and waits for what is under way; what takes longer is cut off, and is no attempt. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true
    const { timers } = this.#dependencies
    await timers.within(milliseconds, Promise.all(this.#underWay.keys()))
    this.#stopping.abort()
    await Promise.all(this.#underWay.keys())
    await this.#settling
  }

  /** Without webhooks, no other statement runs. */
  async #isDormant(): Promise<boolean> {
    const { database, timers } = this.#dependencies
    const now = timers.monotonic()
    if (this.#dormantSince !== null && now - this.#dormantSince < dormantMilliseconds) return true
    const isAny = await database.stores.webhooks.isAnyEnabled()
    this.#dormantSince = isAny ? null : now
    return !isAny
  }

  async #claim(): Promise<void> {
    const { database, clock, instanceId, leaseSeconds } = this.#dependencies
    const failing = [...this.#underWay.values()].filter(({ isFailing }) => isFailing).length
    const free = maxUnderWay - this.#underWay.size
    if (free <= 0 || this.#isStopped) return
    const freeForFailing = Math.max(0, maxFailingUnderWay - failing)
    const room = { free, freeForFailing, perWebhook, attemptsInOrder }
    const now = clock.now().toISOString()
    const claimed = await database.transaction((stores) =>
      stores.webhookDeliveries.claim({ instanceId, leaseSeconds }, now, room),
    )
    for (const delivery of claimed) this.#begin(delivery)
  }

  #begin(delivery: ClaimedDelivery): void {
    const attempt = this.#attempt(delivery).finally(() => this.#underWay.delete(attempt))
    this.#underWay.set(attempt, { isFailing: delivery.webhook.failingSince !== null })
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { log, metrics } = this.#dependencies
    const { webhook, messageId, body } = delivery
    try {
      const outgoing = { webhook, messageId, body }
      const outcome = await attemptDelivery(this.#dependencies, outgoing, this.#stopping.signal)
      if (outcome.kind !== 'stopped') metrics.webhookAttempted(outcome.kind)
      this.#finished.push({ delivery, outcome })
      await this.#settle()
    } catch (error) {
      // It stays claimed, and comes again when the claim is over.
      log.error(
        { err: error, webhookId: webhook.id, deliveryId: delivery.id },
        'a delivery was not written down',
      )
    }
  }

  /** Attempts that finish during a transaction are stored together by the next one. */
  #settle(): Promise<void> {
    this.#settling ??= this.#settleAll()
    return this.#settling
  }

  async #settleAll(): Promise<void> {
    const { database } = this.#dependencies
    try {
      // Those that end in the same pass of the event loop are written down together.
      await nextPass()
      while (this.#finished.length > 0) {
        const batch = this.#finished.splice(0, maxUnderWay)
        await throughOutages(this.#dependencies, this.#stopping.signal, () =>
          database.transaction((stores) => this.#write(stores, batch)),
        )
        this.onRoom()
      }
    } finally {
      // Synchronously after the last check, so that no delivery can finish unnoticed in between.
      this.#settling = null
    }
  }

  async #write(stores: Stores, batch: readonly Finished[]): Promise<void> {
    const { clock, instanceId } = this.#dependencies
    const now = clock.now()
    const settled = batch.map(({ delivery, outcome }) => settle(now, delivery, outcome))
    const idsOf = (isMeant: (kind: AttemptOutcome['kind']) => boolean) =>
      new Set(batch.filter(({ outcome }) => isMeant(outcome.kind)).map(({ delivery }) => delivery.webhookId))
    const working = idsOf((kind) => kind === 'delivered')
    const failing = idsOf((kind) => kind === 'failed' || kind === 'gone')
    const gone = idsOf((kind) => kind === 'gone')
    const givenUp = new Set(
      batch
        .filter((_, index) => settled[index]?.state === 'failed')
        .map(({ delivery }) => delivery.webhookId),
    )
    // In one order for all: two instances that took each other's rows would both fail.
    const onlyFailing = [...failing].filter((id) => !working.has(id)).sort()
    await stores.webhooks.markWorking([...working].sort())
    for (const webhook of await stores.webhooks.markFailing(onlyFailing, now.toISOString()))
      await reviewFailing(clock, stores, {
        webhook,
        isGone: gone.has(webhook.id),
        isGivenUp: givenUp.has(webhook.id),
      })
    // Webhooks are locked first, as in claims, because a delivery with a lapsed claim may be claimed right now.
    await stores.webhookDeliveries.settle(instanceId, settled, now.toISOString())
  }
}

/** Returns a delivery after an attempt. */
function settle(now: Date, delivery: ClaimedDelivery, outcome: AttemptOutcome): SettledDelivery {
  const { id, attemptedAt, attemptCount, attempts, dueAt, claimedAt } = delivery
  if (outcome.kind === 'stopped')
    return { id, claimedAt, state: 'pending', attemptCount, attemptedAt, dueAt, endedAt: null, attempts }
  const attempted = {
    id,
    claimedAt,
    attemptCount: attemptCount + 1,
    attemptedAt: now.toISOString(),
    attempts: [outcome.attempt, ...attempts].slice(0, maxKeptAttempts),
  }
  if (outcome.kind === 'delivered')
    return { ...attempted, state: 'delivered', dueAt: null, endedAt: now.toISOString() }
  const retryAfterMilliseconds = outcome.kind === 'failed' ? outcome.retryAfterMilliseconds : 0
  const next = nextAttemptAt(now, attempted.attemptCount, { random: Math.random(), retryAfterMilliseconds })
  return next === null
    ? { ...attempted, state: 'failed', dueAt: null, endedAt: now.toISOString() }
    : { ...attempted, state: 'pending', dueAt: next.toISOString(), endedAt: null }
}
