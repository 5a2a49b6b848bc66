import { AuthenticationError, type LiveEvent, type Parley } from '@parley/sdk'

export type LiveState = 'connecting' | 'live' | 'broken'

/** A message between the tabs of one browser. */
type LiveMessage = { readonly event: LiveEvent } | { readonly state: LiveState }

interface LiveListener {
  readonly onEvent: (event: LiveEvent) => void
  readonly onState: (state: LiveState) => void
  /** The session has ended. No further requests until the next sign-in. */
  readonly whenSignedIn: (signal: AbortSignal) => Promise<void>
}

const pauses = [500, 1000, 2000, 5000, 10_000]

/**
 * Follows the organization's changes until `signal` aborts. Browsers limit connections per host to six, and a stream
 * holds one permanently. Therefore one tab reads for all open tabs, and another takes over when it closes.
 */
export async function followLive(
  parley: Parley,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
  listener: LiveListener,
): Promise<void> {
  const name = `parley.live.${organizationId}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => {
    if ('event' in data) listener.onEvent(data.event)
    else listener.onState(data.state)
  }
  const broadcast = (message: LiveMessage) => {
    if (signal.aborted) return
    channel.postMessage(message)
    if ('event' in message) listener.onEvent(message.event)
    else listener.onState(message.state)
  }
  const read = () => readStream(parley, { signal, broadcast, whenSignedIn: listener.whenSignedIn })
  // Web Locks need a secure context. Without one, each tab reads its own stream.
  if (navigator.locks === undefined) return read()
  await navigator.locks.request(name, { signal }, read).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

interface Reading {
  readonly signal: AbortSignal
  readonly broadcast: (message: LiveMessage) => void
  readonly whenSignedIn: (signal: AbortSignal) => Promise<void>
}

async function readStream(parley: Parley, { signal, broadcast, whenSignedIn }: Reading): Promise<void> {
  let lastEventId: string | null = null
  for (let failures = 0; !signal.aborted; failures += 1) {
    const stream = parley.events.followChanges({
      signal,
      maxRetries: 0,
      ...(lastEventId !== null && { lastEventId }),
    })
    try {
      for await (const event of stream) {
        if (event.type === 'ready') {
          broadcast({ state: 'live' })
          // The first stream opens while the page already loads data, so a change may have been missed.
          if (lastEventId === null) broadcast({ event: { type: 'reset', data: {} } })
        } else broadcast({ event })
        failures = 0
        lastEventId = stream.lastEventId
      }
    } catch (error) {
      if (signal.aborted) return
      broadcast({ state: 'broken' })
      if (error instanceof AuthenticationError) await whenSignedIn(signal)
    }
    await pause(pauses[Math.min(failures, pauses.length - 1)] ?? 0, signal)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
