import type { Voice } from '@parley/sdk/realtime'
import { useSyncExternalStore } from 'react'
import type { CallerContext } from '../../data/caller-context'
import { useConsole } from '../../data/console-context'
import { showError } from '../../parts/show-error'
import { Composer } from './compose/composer'
import type { Attachments } from './compose/use-attachments'
import { useDraft } from './compose/use-draft'
import frame from './playground.module.css'
import type { Conversation, ConversationState } from './talk/conversation'
import { TalkBar } from './talk/talk-bar'
import type { CallerContextState } from './use-caller-context'

interface PlaygroundFootProps {
  readonly conversation: Conversation
  readonly state: ConversationState
  readonly attachments: Attachments
  readonly isBuiltIn: boolean
  readonly caller: CallerContextState
}

/** Composer and voice bar. */
export function PlaygroundFoot(props: PlaygroundFootProps) {
  const { conversation, state, attachments, isBuiltIn, caller } = props
  const { may } = useConsole()
  const [text, setText] = useDraft()
  const connection = useConnection(state.voice)
  const isTyping = connection === 'open' && attachments.items.length === 0
  const obstacle = obstacleOf({
    connection,
    attachments,
    isTyping,
    isAsking: state.isAsking,
    mayAsk: may('question:ask'),
  })
  const send = async () => {
    const trimmed = text.trim()
    if (trimmed === '' || obstacle !== null) return
    if (isTyping) return sendText(trimmed, null)
    await caller.withContext((context) => sendText(trimmed, context))
  }
  const sendText = async (trimmed: string, context: CallerContext | null) => {
    const given = attachments.items
    setText('')
    try {
      if (isTyping) return await conversation.type(trimmed)
      const files = given.flatMap(({ fileId, name }) => (fileId ? [{ id: fileId, name }] : []))
      const answered = conversation.ask(trimmed, files, context)
      attachments.forget()
      await answered
    } catch (error) {
      // A failed send keeps the text.
      setText(trimmed)
      attachments.restore(given)
      showError(error)
    }
  }
  return (
    <div className={frame.foot}>
      {state.voice !== null && (
        <TalkBar voice={state.voice} conversation={conversation} isBuiltIn={isBuiltIn} />
      )}
      {(may('question:ask') || may('realtime:create')) && (
        <Composer
          text={text}
          onText={setText}
          attachments={attachments}
          onSend={() => void send()}
          onStop={() => void conversation.stop().catch((error) => showError(error))}
          onTalk={() => void caller.withContext((context) => conversation.talk(context))}
          isAsking={state.isAsking}
          hasVoice={connection !== null}
          mayTalk={may('realtime:create')}
          mayAttach={may('file:write') && may('question:ask')}
          obstacle={obstacle}
        />
      )}
    </div>
  )
}

type LiveConnection = 'connecting' | 'open' | 'reconnecting' | null

/** Null without a voice session. */
function useConnection(voice: Voice | null): LiveConnection {
  return useSyncExternalStore(voice?.subscribe ?? noVoice, () => {
    const connection = voice?.getState().connection ?? 'ended'
    return connection === 'ended' ? null : connection
  })
}
const noVoice = () => () => undefined

function obstacleOf({
  connection,
  attachments,
  isTyping,
  isAsking,
  mayAsk,
}: {
  readonly connection: LiveConnection
  readonly attachments: Attachments
  readonly isTyping: boolean
  readonly isAsking: boolean
  readonly mayAsk: boolean
}): string | null {
  if (connection === 'connecting' || connection === 'reconnecting') return 'Connecting voice…'
  if (isTyping) return null
  if (!mayAsk) return 'Your role can type only during a voice session.'
  if (attachments.items.some(({ problem }) => problem !== null))
    return 'Remove the file that failed to upload.'
  if (attachments.items.some(({ fileId }) => fileId === null)) return 'Files are uploading.'
  return isAsking ? 'Wait for the response to finish.' : null
}
