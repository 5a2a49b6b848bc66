import type { Redis } from 'ioredis'
import type { ChangeSignals } from '../../ports/change-signals.js'
import type { Log } from '../../ports/log.js'
import { coalesce } from './coalesce.js'

/** How far apart the signals of one instance are at least, and the polls that they cause elsewhere. */
const publishIntervalMilliseconds = 10
const deliverIntervalMilliseconds = 25
const retryMilliseconds = 60_000

export interface RedisChangeSignalsOptions {
  readonly redis: Redis
  readonly log: Log
  /** Known to the others by what it sends: nobody is woken by its own signals. */
  readonly instanceId: string
}

/** Publishes over the given connection and subscribes over one of its own, as Redis wants it. */
export function makeRedisChangeSignals({ redis, log, instanceId }: RedisChangeSignalsOptions): ChangeSignals {
  // Redis keeps the keys of its databases apart, but not their channels: two services in one Redis are told apart here.
  const channel = `parley:changes:${redis.options.db ?? 0}`
  const listeners: (() => void)[] = []
  const published = coalesce(publishIntervalMilliseconds, () => {
    redis.publish(channel, instanceId).catch(() => undefined)
  })
  const delivered = coalesce(deliverIntervalMilliseconds, () => {
    for (const listener of listeners) listener()
  })

  const subscriber = redis.duplicate({ autoResubscribe: false })
  // The shared connection logs outages.
  subscriber.on('error', () => undefined)
  subscriber.on('message', (_channel, sender) => {
    if (sender !== instanceId) delivered.request()
  })
  let retry: NodeJS.Timeout | undefined
  const subscribe = () => {
    clearTimeout(retry)
    subscriber.subscribe(channel).then(
      // What was signalled while nobody here listened is found by polling once.
      () => delivered.request(),
      (error: Error) => {
        // A connection that is lost has its next `ready`; one that stands may have been too slow, or not permitted.
        if (subscriber.status !== 'ready') return
        log.warn({ reason: error.message }, 'Redis took no subscription to changes; they are polled for')
        retry = setTimeout(subscribe, retryMilliseconds).unref()
      },
    )
  }
  subscriber.on('ready', subscribe)
  subscriber.connect().catch(() => undefined)

  return {
    publish: () => published.request(),
    onSignal: (listener) => void listeners.push(listener),
    async close() {
      published.stop()
      delivered.stop()
      subscriber.removeAllListeners('ready')
      clearTimeout(retry)
      subscriber.disconnect()
    },
  }
}
