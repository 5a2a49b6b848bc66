import type { Redis } from 'ioredis'
import { type Batch, batch, type Coalesced, coalesce } from '../../concurrency/coalesce.js'
import type { ChangeSignals, SignalledChange, SignalTopic } from '../../ports/changes.js'
import type { Log } from '../../ports/log.js'

/**
 * The minimum interval between an instance's signals about one topic, and therefore between the polls that
 * they cause on other instances.
 */
const publishIntervalMilliseconds = 10
const deliverIntervalMilliseconds = 15
const retryMilliseconds = 60_000
/** If there are more changes in one message, receivers assume that anything may have changed. */
const maxChanges = 200

export interface RedisChangeSignalsOptions {
  readonly redis: Redis
  readonly log: Log
  /** Sent with each signal, so that an instance ignores its own signals. */
  readonly instanceId: string
}

interface Subscription {
  readonly listeners: Set<() => void>
  readonly delivered: Coalesced
}

/** Publishes over the given connection and subscribes over a separate one, as Redis requires. */
export function makeRedisChangeSignals({ redis, log, instanceId }: RedisChangeSignalsOptions): ChangeSignals {
  // Redis separates the keys of its databases, but not their channels. The number in the name separates two
  // services that share one Redis.
  const channelOf = (topic: string) => `parley:${redis.options.db ?? 0}:${topic}`
  const changesChannel = channelOf('changes')
  const publishing = new Map<string, Coalesced>()
  const subscriptions = new Map<string, Subscription>()
  let isClosed = false

  const subscriber = redis.duplicate({ autoResubscribe: false })
  // Errors are ignored here, because the shared connection logs outages.
  subscriber.on('error', () => undefined)
  // The previous version sends only its instance id. In that case, assume that anything may have changed.
  subscriber.on('message', (channel, message) => {
    const [sender, ...changes] = message.split(',')
    if (sender === instanceId) return
    if (channel === changesChannel) receiveChanges(changes as SignalledChange[])
    else subscriptions.get(channel)?.delivered.request()
  })
  let delivered: Batch<SignalledChange> | undefined
  const published = batch<SignalledChange>(publishIntervalMilliseconds, maxChanges, (changes) => {
    const message = [instanceId, ...(changes ?? [])].join()
    redis.publish(changesChannel, message).catch(() => undefined)
  })

  function receiveChanges(changes: readonly SignalledChange[]): void {
    if (changes.length === 0) delivered?.add(null)
    for (const change of changes) delivered?.add(change)
  }
  let retry: NodeJS.Timeout | undefined

  function subscribe(channels: readonly string[]): void {
    if (channels.length === 0 || subscriber.status !== 'ready') return
    subscriber.subscribe(...channels).then(
      // Signals before the subscription were missed, so listeners poll once.
      () => {
        for (const channel of channels) subscriptions.get(channel)?.delivered.request()
        if (channels.includes(changesChannel)) receiveChanges([])
      },
      (error: Error) => {
        // A lost connection subscribes again on `ready`. A connection that is still open may have been too
        // slow, or not permitted to subscribe.
        if (subscriber.status !== 'ready') return
        log.warn(
          { reason: error.message },
          'Redis rejected the subscription to changes, so this process polls for them',
        )
        clearTimeout(retry)
        retry = setTimeout(subscribeAll, retryMilliseconds).unref()
      },
    )
  }

  function subscribeAll(): void {
    clearTimeout(retry)
    subscribe([...(delivered === undefined ? [] : [changesChannel]), ...subscriptions.keys()])
  }
  subscriber.on('ready', subscribeAll)
  subscriber.connect().catch(() => undefined)

  function newSubscription(channel: string): Subscription {
    const listeners = new Set<() => void>()
    const delivered = coalesce(deliverIntervalMilliseconds, () => {
      for (const listener of [...listeners]) listener()
    })
    const subscription = { listeners, delivered }
    subscriptions.set(channel, subscription)
    subscribe([channel])
    return subscription
  }

  function newPublishing(channel: string): Coalesced {
    const publish = () => void redis.publish(channel, instanceId).catch(() => undefined)
    const coalesced = coalesce(publishIntervalMilliseconds, publish, () => publishing.delete(channel))
    publishing.set(channel, coalesced)
    return coalesced
  }

  return {
    publish(topic: SignalTopic) {
      if (isClosed) return
      const channel = channelOf(topic)
      const coalesced = publishing.get(channel) ?? newPublishing(channel)
      coalesced.request()
    },
    subscribe(topic, listener) {
      const channel = channelOf(topic)
      const { listeners, delivered } = subscriptions.get(channel) ?? newSubscription(channel)
      // Two subscribers may pass the same function, and each unsubscribes separately.
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
        if (listeners.size > 0 || subscriptions.get(channel)?.listeners !== listeners) return
        delivered.stop()
        subscriptions.delete(channel)
        if (subscriber.status === 'ready') subscriber.unsubscribe(channel).catch(() => undefined)
      }
    },
    publishChange(change) {
      if (!isClosed) published.add(change)
    },
    onChanges(listener) {
      delivered = batch(deliverIntervalMilliseconds, maxChanges, listener)
      subscribe([changesChannel])
    },
    async close() {
      isClosed = true
      published.stop()
      delivered?.stop()
      for (const { delivered } of subscriptions.values()) delivered.stop()
      for (const coalesced of publishing.values()) coalesced.stop()
      subscriber.removeAllListeners('ready')
      clearTimeout(retry)
      subscriber.disconnect()
    },
  }
}
