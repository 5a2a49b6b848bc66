import type { LiveEvent } from '@parley/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { signedOut } from '../access/sign-in-state'
import { useConsole } from './console-context'
import { followLive, type LiveState } from './live-stream'

export type { LiveState } from './live-stream'

/** Refetches data that has changed on any instance. `onLive` is called when the stream connects or reconnects. */
export function useLive(onLive: () => Promise<void>): LiveState {
  const { parley, membership } = useConsole()
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  const organizationId = membership.id
  useEffect(() => {
    const leaving = new AbortController()
    let wasLive = false
    void followLive(
      parley,
      { organizationId, signal: leaving.signal },
      {
        onEvent: readAgain(queries),
        onState: (next) => {
          setState(next)
          // The stream ends if the reader's rights change. Most roles get no member events.
          if (wasLive) void queries.invalidateQueries({ queryKey: ['me'] })
          // The first stream begins with a reset, which refetches everything.
          wasLive = true
          if (next === 'live') void onLive()
        },
        whenSignedIn,
      },
    )
    return () => leaving.abort()
  }, [parley, queries, organizationId, onLive])
  return state
}

/** Changes arrive in bursts. Each burst causes one refetch per resource. */
const gatherMilliseconds = 250

function readAgain(queries: QueryClient): (event: LiveEvent) => void {
  const resources = new Set<string>()
  const flush = () => {
    const isAll = resources.has('')
    for (const resource of resources)
      void queries.invalidateQueries(isAll ? undefined : { queryKey: [resource] })
    // A changed role applies from the next call on.
    if (resources.has('Member')) void queries.invalidateQueries({ queryKey: ['me'] })
    resources.clear()
  }
  return (event) => {
    if (resources.size === 0) setTimeout(flush, gatherMilliseconds)
    for (const resource of event.type === 'changed' ? shownWith(event.data.resource) : [''])
      resources.add(resource)
  }
}

/**
 * The queries that a change affects. A budget shows how much of it is spent, and an end user when a conversation
 * named them last.
 */
function shownWith(resource: LiveChange['resource']): readonly string[] {
  if (resource === 'Usage') return ['Usage', 'Budget']
  return resource === 'Conversation' ? ['Conversation', 'EndUser'] : [resource]
}

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
