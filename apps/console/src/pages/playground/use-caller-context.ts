import type { Agent } from '@parley/sdk'
import { useState } from 'react'
import { type CallerContext, storeContext, storedContext } from '../../data/caller-context'
import { missingVariables } from '../../data/template-variables'

/** An action that needs the context: a question or the start of a voice session. */
type Action = (context: CallerContext | null) => Promise<void> | void

export interface CallerContextState {
  readonly context: CallerContext
  readonly isOpen: boolean
  /** The action that waits for values, or null. */
  readonly isAsking: boolean
  readonly open: () => void
  readonly close: () => void
  readonly save: (context: CallerContext) => void
  /** Runs the action. If required values are missing, asks for them first. */
  readonly withContext: (action: Action) => Promise<void>
}

/**
 * The end user and variables of a conversation. They are sent with its first request. The service keeps them, so they
 * are sent again only after a change.
 */
export function useCallerContext(agent: Agent, conversationId: string | null): CallerContextState {
  const [context, setContext] = useState(() => storedContext(agent.id))
  const [isOpen, setOpen] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const [waiting, setWaiting] = useState<{ readonly run: (context: CallerContext) => void } | null>(null)
  const isNew = conversationId === null
  const run = async (action: Action, current: CallerContext, isSent: boolean) => {
    setChanged(false)
    await action(isSent ? current : null)
  }
  const close = () => {
    setOpen(false)
    setWaiting(null)
  }
  return {
    context,
    isOpen,
    isAsking: waiting !== null,
    open: () => setOpen(true),
    close,
    save: (next) => {
      storeContext(agent.id, next)
      setContext(next)
      setChanged(true)
      close()
      waiting?.run(next)
    },
    withContext: async (action) => {
      if (!isNew || missingVariables(agent.variables, context.variables).length === 0)
        return run(action, context, isNew || isChanged)
      setWaiting({ run: (given) => void run(action, given, true) })
      setOpen(true)
    },
  }
}
