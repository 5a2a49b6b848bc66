import { ActionIcon, Button, Drawer, Group, Tooltip } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import type { Agent } from '@parley/sdk'
import { IconLayoutSidebarRight, IconPlus, IconUserEdit } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useConsole } from '../../data/console-context'
import { ErrorNotice } from '../../parts/error-notice'
import { PageFrame } from '../../parts/page-frame'
import { showError } from '../../parts/show-error'
import { AgentChooser } from './agent-chooser'
import { BuiltInNotice } from './built-in-notice'
import { CallerContextDialog } from './caller-context-dialog'
import styles from './compose/composer.module.css'
import { useAttachments } from './compose/use-attachments'
import { useFileDrop } from './compose/use-file-drop'
import { EventsPanel } from './events/events-panel'
import frame from './playground.module.css'
import { PlaygroundFoot } from './playground-foot'
import { TalkInvitation } from './talk-invitation'
import { Transcript } from './transcript/transcript'
import { useBuiltIn } from './use-built-in'
import { useCallerContext } from './use-caller-context'
import { useConversation } from './use-conversation'

interface PlaygroundProps {
  readonly agent: Agent
  /** Null for a new conversation. */
  readonly conversationId: string | null
  readonly onConversation: (conversationId: string) => void
  readonly onChoose: (agentId: string) => void
  readonly onNew: () => void
}

/** One conversation with one agent. */
export function Playground({ agent, conversationId, onConversation, onChoose, onNew }: PlaygroundProps) {
  const { may } = useConsole()
  const opened = useConversation({ agent, conversationId, onConversation })
  const { conversation, state, thread, isLoading, problem, reload } = opened
  const caller = useCallerContext(agent, state.conversationId)
  const attachments = useAttachments()
  const drop = useFileDrop(attachments.add, may('file:write') && may('question:ask'))
  const isBuiltIn = useBuiltIn(agent)
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const [isBeside, setBeside] = useLocalStorage({
    key: 'parley.playground.events',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  // On narrow pages it covers the conversation, so it starts closed.
  const [isOver, setOver] = useState(false)
  const [isInspecting, setInspecting] = isWide ? [isBeside, setBeside] : [isOver, setOver]
  const decide = useCallback(
    (...decision: Parameters<typeof conversation.decide>) =>
      conversation.decide(...decision).catch((error: unknown) => {
        showError(error)
        // Another user may have decided first.
        void conversation.refresh().catch(() => undefined)
        throw error
      }),
    [conversation],
  )
  const ask = (question: string) =>
    void caller.withContext((context) => conversation.ask(question, [], context).catch(showError))
  return (
    <PageFrame
      title="Playground"
      isFilling
      actions={
        <Group gap="xs" wrap="nowrap" flex={1} miw={0}>
          <AgentChooser agent={agent} onChoose={onChoose} />
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={onNew}
            visibleFrom="xs"
            flex="none"
          >
            New conversation
          </Button>
          <ActionIcon
            variant="default"
            size={36}
            onClick={onNew}
            hiddenFrom="xs"
            aria-label="New conversation"
          >
            <IconPlus size={18} />
          </ActionIcon>
          <Tooltip label="End user and variables">
            <ActionIcon variant="default" size={36} onClick={caller.open} aria-label="End user and variables">
              <IconUserEdit size={18} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={isInspecting ? 'Hide events' : 'Show events'}>
            <ActionIcon
              variant={isInspecting ? 'light' : 'default'}
              size={36}
              onClick={() => setInspecting(!isInspecting)}
              aria-label="Events"
              aria-pressed={isInspecting}
            >
              <IconLayoutSidebarRight size={18} />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      <div className={frame.columns}>
        <div className={frame.middle} {...drop.handlers}>
          {problem !== null && <ErrorNotice error={problem} onRetry={reload} />}
          <Transcript
            conversationId={state.conversationId}
            thread={thread}
            agentName={agent.name}
            earlierCount={state.earlierCount}
            onEarlier={() => conversation.showEarlier().catch((error) => showError(error))}
            onDecide={decide}
            isLoading={isLoading}
            empty={
              problem === null && (
                <TalkInvitation
                  agent={agent}
                  context={caller.context}
                  onAsk={may('question:ask') ? ask : null}
                />
              )
            }
          />
          <PlaygroundFoot
            conversation={conversation}
            state={state}
            attachments={attachments}
            isBuiltIn={isBuiltIn}
            caller={caller}
          />
          {isBuiltIn && <BuiltInNotice />}
          {drop.isOver && <div className={styles.drop}>Drop files to attach them</div>}
        </div>
        {isWide && isInspecting && (
          <aside className={frame.side} aria-label="Event inspector">
            <EventsPanel log={conversation.events} />
          </aside>
        )}
      </div>
      {caller.isOpen && (
        <CallerContextDialog agent={agent} conversationId={state.conversationId} caller={caller} />
      )}
      <Drawer
        opened={!isWide && isInspecting}
        onClose={() => setInspecting(false)}
        title="Events"
        position="right"
        size="md"
        styles={{ body: { height: 'calc(100% - 60px)' } }}
      >
        <EventsPanel log={conversation.events} />
      </Drawer>
    </PageFrame>
  )
}
