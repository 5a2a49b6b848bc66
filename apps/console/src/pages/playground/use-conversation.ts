import type { Agent } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useConsole } from '../../data/console-context'
import { Conversation } from './talk/conversation'

interface OpenedConversation {
  readonly agent: Agent
  /** Null for a new conversation. */
  readonly conversationId: string | null
  readonly onConversation: (conversationId: string) => void
}

/** The conversation of this page. Opened once, closed with the page. */
export function useConversation({ agent, conversationId, onConversation }: OpenedConversation) {
  const { parley, may } = useConsole()
  const [conversation] = useState(() => new Conversation({ parley, agent, conversationId, onConversation }))
  const [isLoading, setLoading] = useState(conversationId !== null)
  const [problem, setProblem] = useState<unknown>(null)
  const mayRead = may('conversation:read')
  const load = useCallback(() => {
    setProblem(null)
    setLoading(true)
    const loaded = mayRead ? conversation.open(() => setLoading(false)) : Promise.resolve()
    loaded.catch(setProblem).finally(() => setLoading(false))
  }, [conversation, mayRead])
  useEffect(() => {
    load()
    return () => conversation.leave()
  }, [conversation, load])
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState)
  const thread = useSyncExternalStore(conversation.thread.subscribe, conversation.thread.get)
  const hasOpenCalls = thread.entries.some(
    (entry) => entry.kind === 'call' && (entry.status === 'waiting' || entry.status === 'running'),
  )
  // Decisions of other users and later steps may not arrive by session or stream.
  useQuery({
    queryKey: ['Message', state.conversationId, 'open-calls'],
    queryFn: async () => {
      await conversation.refresh()
      return Date.now()
    },
    enabled: mayRead && hasOpenCalls && !state.isAsking && state.voice === null,
  })
  return { conversation, state, thread, isLoading, problem, reload: load }
}
