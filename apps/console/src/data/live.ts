import type { LiveEvent } from '@parley/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { signedOut } from '../access/sign-in-state'
import { useConsole } from './console-context'
import { followLive, type LiveState } from './live-stream'

export type { LiveState } from './live-stream'

/** Reads again what has changed, on whichever instance it did. `onLive` is called whenever the stream has begun, or gone on. */
export function useLive(onLive: () => Promise<void>): LiveState {
  const { parley, membership } = useConsole()
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  const organizationId = membership.id
  useEffect(() => {
    const leaving = new AbortController()
    void followLive(
      parley,
      { organizationId, signal: leaving.signal },
      {
        onEvent: readAgain(queries),
        onState: (next) => {
          setState(next)
          // A stream ends when its reader's rights change, and most roles are not told of members.
          void queries.invalidateQueries({ queryKey: ['me'] })
          if (next === 'live') void onLive()
        },
        whenSignedIn,
      },
    )
    return () => leaving.abort()
  }, [parley, queries, organizationId, onLive])
  return state
}

/** Changes come in crowds: what they are about is read again once for all of them. */
const gatherMilliseconds = 250

function readAgain(queries: QueryClient): (event: LiveEvent) => void {
  const resources = new Set<string>()
  const flush = () => {
    const isAll = resources.has('')
    for (const resource of resources)
      void queries.invalidateQueries(isAll ? undefined : { queryKey: [resource] })
    // A role that was changed holds from the next call on.
    if (resources.has('Member')) void queries.invalidateQueries({ queryKey: ['me'] })
    resources.clear()
  }
  return (event) => {
    if (resources.size === 0) setTimeout(flush, gatherMilliseconds)
    for (const resource of event.type === 'changed' ? shownWith(event.data.resource) : [''])
      resources.add(resource)
  }
}

/** What shows a change: a budget tells how much of it is spent. */
const shownWith = (resource: LiveChange['resource']) =>
  resource === 'Usage' ? ['Usage', 'Budget'] : [resource]

type LiveChange = Extract<LiveEvent, { type: 'changed' }>['data']

function whenSignedIn(signal: AbortSignal): Promise<void> {
  signedOut.set(true)
  return new Promise((resolve) => {
    const stop = signedOut.subscribe(() => {
      if (signedOut.get()) return
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => {
      stop()
      resolve()
    })
  })
}
