import type { DeliveryAttempt } from '@parley/contract'
import type { Outbound, OutboundResponse } from '../../ports/outbound.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock, Timers } from '../../ports/time.js'
import type { WebhookRecord } from '../../ports/webhook-stores.js'
import { storable } from '../storable-text.js'
import { type SigningWebhook, signatureHeaders } from '../webhooks/webhook-secret.js'

/**
 * The maximum number of concurrent attempts at one receiver, on all instances together. For a failing
 * receiver it is one. Tests of a webhook count as well, but may use all slots.
 */
export const perWebhook = 4

/** The maximum number of response bytes that are read, and that are stored. */
const maxReadBytes = 4096
const maxKeptLength = 1000

export interface AttemptDependencies {
  readonly clock: Clock
  readonly timers: Timers
  readonly cipher: Cipher
  readonly outbound: Outbound
  readonly timeoutMilliseconds: number
}

export type AttemptOutcome =
  | { readonly kind: 'delivered'; readonly attempt: DeliveryAttempt }
  /** The receiver has responded that it wants no more deliveries. */
  | { readonly kind: 'gone'; readonly attempt: DeliveryAttempt }
  | { readonly kind: 'failed'; readonly attempt: DeliveryAttempt; readonly retryAfterMilliseconds: number }
  /** The service was stopped. This does not count as an attempt. */
  | { readonly kind: 'stopped' }

/** A message and its destination. */
interface Outgoing {
  readonly webhook: SigningWebhook & Pick<WebhookRecord, 'url'>
  readonly messageId: string
  readonly body: string
}

/**
 * Sends one request. The address is checked again, redirects are not followed, and only the start of the response is
 * read.
 */
export async function attemptDelivery(
  { clock, timers, cipher, outbound, timeoutMilliseconds }: AttemptDependencies,
  { webhook, messageId, body }: Outgoing,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const at = clock.now()
  const begin = timers.monotonic()
  const note = (found: Pick<DeliveryAttempt, 'responseStatus' | 'responseBody' | 'detail'>) => ({
    at: at.toISOString(),
    durationMilliseconds: Math.max(0, Math.round(timers.monotonic() - begin)),
    ...found,
  })
  try {
    const response = await outbound.fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'parley-webhooks',
        ...signatureHeaders(cipher, webhook, { messageId, body, at }),
      },
      body,
      timeoutMilliseconds,
      maxResponseBytes: maxReadBytes * 16,
      followsRedirects: false,
      signal,
    })
    const { status: responseStatus, headers } = response
    const responseBody = await readStart(response)
    const attempt = note({ responseStatus, responseBody, detail: describe(responseStatus, headers) })
    if (responseStatus >= 200 && responseStatus < 300) return { kind: 'delivered', attempt }
    if (responseStatus === 410) return { kind: 'gone', attempt }
    const retryAfterMilliseconds = readRetryAfter(headers.get('retry-after'), clock.now())
    return { kind: 'failed', attempt, retryAfterMilliseconds }
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' }
    if (!outbound.isFailure(error)) throw error
    const attempt = note({ responseStatus: null, responseBody: null, detail: storable(error.detail) })
    return { kind: 'failed', attempt, retryAfterMilliseconds: 0 }
  }
}

function describe(status: number, headers: ReadonlyMap<string, string>): string {
  if (status >= 200 && status < 300) return 'The receiver accepted the delivery.'
  if (status === 410) return 'The receiver answered 410, so the webhook was disabled.'
  const location = headers.get('location')
  return status >= 300 && status < 400 && location !== undefined
    ? storable(
        `The receiver answered ${status} with the location ${location.slice(0, 200)}. Redirects are not followed.`,
      )
    : `The receiver answered ${status}.`
}

/** Reads the start of the response. A failure here has no effect, because the status is already known. */
async function readStart(response: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= maxReadBytes) break
    }
  } catch {
    // The response was cut off or too slow. The part that arrived is used.
  } finally {
    response.discard()
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxReadBytes))
  return storable(text.slice(0, maxKeptLength))
}

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** The delays after failed attempts. Together they take about a day. */
const pauses: readonly number[] = [
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  30 * minutes,
  hours,
  2 * hours,
  4 * hours,
  8 * hours,
  8 * hours,
]

/** The random variation of a delay, so that deliveries that failed together are not retried together. */
const jitter = 0.2

const longestPause = 8 * hours

/**
 * Returns the time of the next attempt after this number of failures, but no earlier than the receiver's
 * `Retry-After`. Returns null if there are no attempts left. `random` is between 0 and 1.
 */
export function nextAttemptAt(
  now: Date,
  attemptCount: number,
  { random, retryAfterMilliseconds }: { readonly random: number; readonly retryAfterMilliseconds: number },
): Date | null {
  const pause = pauses[attemptCount - 1]
  if (pause === undefined) return null
  const spread = pause * (1 + jitter * (2 * random - 1))
  return new Date(now.getTime() + Math.max(spread, Math.min(retryAfterMilliseconds, longestPause)))
}

/** Returns the milliseconds of `Retry-After`, which is in seconds or a date. Returns 0 if it is missing. */
function readRetryAfter(value: string | undefined, now: Date): number {
  if (value === undefined) return 0
  if (/^\d{1,9}$/.test(value)) return Number(value) * seconds
  const date = Date.parse(value)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime())
}
