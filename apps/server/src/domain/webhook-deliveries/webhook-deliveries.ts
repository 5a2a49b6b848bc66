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

/**
 * The maximum number of concurrent attempts on this instance. At most half of them are for failing receivers.
 */
const maxConcurrentAttempts = 200
const maxFailingAttempts = 100

/**
 * After this many failures, which take about three minutes, later events about the same resource no longer
 * wait for this one.
 */
const attemptsInOrder = 4

const maxKeptAttempts = 12

/** How often to check whether a first webhook was added. */
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

/** The deliveries of this instance: claims due deliveries, attempts them and stores the outcomes. */
export class WebhookDeliveries {
  readonly #dependencies: WebhookDeliveriesDependencies
  readonly #stopping = new AbortController()
  readonly #inProgress = new Map<Promise<void>, { readonly isFailing: boolean }>()
  readonly #finished: Finished[] = []
  #settling: Promise<void> | null = null
  #isStopped = false
  #dormantSince: number | null = null
  /** Called when slots are free and pending deliveries may be claimed. */
  onRoom: () => void = () => undefined

  constructor(dependencies: WebhookDeliveriesDependencies) {
    this.#dependencies = dependencies
  }

  /** Creates deliveries of new events, and starts attempts of due deliveries. */
  async poll(): Promise<void> {
    if (this.#isStopped || (await this.#isDormant())) return
    while (await expandEvents(this.#dependencies)) await this.#claim()
    await this.#claim()
  }

  /**
   * Stops starting attempts and waits for running ones. Attempts that take longer are aborted and do not
   * count.
   */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true
    const { timers } = this.#dependencies
    await timers.within(milliseconds, Promise.all(this.#inProgress.keys()))
    this.#stopping.abort()
    await Promise.all(this.#inProgress.keys())
    await this.#settling
  }

  /** Returns whether there are no webhooks. In that case, no other query is executed. */
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
    const failing = [...this.#inProgress.values()].filter(({ isFailing }) => isFailing).length
    const free = maxConcurrentAttempts - this.#inProgress.size
    if (free <= 0 || this.#isStopped) return
    const freeForFailing = Math.max(0, maxFailingAttempts - failing)
    const room = { free, freeForFailing, perWebhook, attemptsInOrder }
    const now = clock.now().toISOString()
    const claimed = await database.transaction((stores) =>
      stores.webhookDeliveries.claim({ instanceId, leaseSeconds }, now, room),
    )
    for (const delivery of claimed) this.#begin(delivery)
  }

  #begin(delivery: ClaimedDelivery): void {
    const attempt = this.#attempt(delivery).finally(() => this.#inProgress.delete(attempt))
    this.#inProgress.set(attempt, { isFailing: delivery.webhook.failingSince !== null })
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
      // The delivery stays claimed. It is attempted again after the claim has expired.
      log.error(
        { err: error, webhookId: webhook.id, deliveryId: delivery.id },
        'a delivery could not be stored',
      )
    }
  }

  /** Outcomes that arrive during a transaction are stored together by the next one. */
  #settle(): Promise<void> {
    this.#settling ??= this.#settleAll()
    return this.#settling
  }

  async #settleAll(): Promise<void> {
    const { database } = this.#dependencies
    try {
      // Outcomes of the same iteration of the event loop are stored together.
      await nextPass()
      while (this.#finished.length > 0) {
        const batch = this.#finished.splice(0, maxConcurrentAttempts)
        await throughOutages(this.#dependencies, this.#stopping.signal, () =>
          database.transaction((stores) => this.#write(stores, batch)),
        )
        this.onRoom()
      }
    } finally {
      // Runs synchronously after the last check, so that no outcome can be missed in between.
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
    // Sorted, so that two instances lock the rows in the same order and cannot deadlock.
    const onlyFailing = [...failing].filter((id) => !working.has(id)).sort()
    await stores.webhooks.markWorking([...working].sort())
    for (const webhook of await stores.webhooks.markFailing(onlyFailing, now.toISOString()))
      await reviewFailing(clock, stores, {
        webhook,
        isGone: gone.has(webhook.id),
        isGivenUp: givenUp.has(webhook.id),
      })
    // Webhooks are locked first, as in claims, because a delivery whose claim has expired may be claimed by
    // another instance at the same time.
    await stores.webhookDeliveries.settle(instanceId, settled, now.toISOString())
  }
}

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
