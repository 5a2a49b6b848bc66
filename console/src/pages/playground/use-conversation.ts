import { notifications } from '@mantine/notifications'
import type { Agent } from '@parley/sdk'
import { createElement, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useConsole } from '../../data/console-context'
import { wordsOf } from '../../data/error-words'
import { ErrorText } from '../../parts/error-notice'
import { Conversation } from './talk/conversation'

export function tellProblem(error: unknown): void {
  notifications.show({
    color: 'red',
    title: 'That did not work',
    message: createElement(ErrorText, wordsOf(error)),
  })
}

interface OpenedConversation {
  readonly agent: Agent
  /** Null for a new one. */
  readonly conversationId: string | null
  readonly onConversation: (conversationId: string) => void
}

/** The conversation of this page, opened once; it is left when the page goes. */
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
  return { conversation, state, thread, isLoading, problem, reload: load }
}
