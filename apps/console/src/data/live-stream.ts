import { AuthenticationError, type LiveEvent, type Parley } from '@parley/sdk'

export type LiveState = 'connecting' | 'live' | 'broken'

/** What one page tells the others of its browser. */
type Told = { readonly event: LiveEvent } | { readonly state: LiveState }

interface LiveListener {
  readonly onEvent: (event: LiveEvent) => void
  readonly onState: (state: LiveState) => void
  /** The session is over: nothing is asked again until somebody has signed in. */
  readonly whenSignedIn: (signal: AbortSignal) => Promise<void>
}

const pauses = [500, 1000, 2000, 5000, 10_000]

/**
 * Follows what changes in the organization until `signal` says otherwise. A browser opens six connections to a service at most, and
 * a stream takes one for good: so one page reads for all that are open, and when it goes the next one does.
 */
export async function followLive(
  parley: Parley,
  { organizationId, signal }: { readonly organizationId: string; readonly signal: AbortSignal },
  listener: LiveListener,
): Promise<void> {
  const name = `parley.live.${organizationId}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if ('event' in data) listener.onEvent(data.event)
    else listener.onState(data.state)
  }
  const tell = (told: Told) => {
    if (signal.aborted) return
    channel.postMessage(told)
    if ('event' in told) listener.onEvent(told.event)
    else listener.onState(told.state)
  }
  const read = () => readStream(parley, { signal, tell, whenSignedIn: listener.whenSignedIn })
  // Without a secure context, as on a bare address of the local network, pages cannot agree, and each reads for itself.
  if (navigator.locks === undefined) return read()
  await navigator.locks.request(name, { signal }, read).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

interface Reading {
  readonly signal: AbortSignal
  readonly tell: (told: Told) => void
  readonly whenSignedIn: (signal: AbortSignal) => Promise<void>
}

async function readStream(parley: Parley, { signal, tell, whenSignedIn }: Reading): Promise<void> {
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
          tell({ state: 'live' })
          // The page has read things while its first stream was on its way, and may have just missed a change.
          if (lastEventId === null) tell({ event: { type: 'reset', data: {} } })
        } else tell({ event })
        failures = 0
        lastEventId = stream.lastEventId
      }
    } catch (error) {
      if (signal.aborted) return
      tell({ state: 'broken' })
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
