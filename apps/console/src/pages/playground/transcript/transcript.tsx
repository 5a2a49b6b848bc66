import { Button, Center, Loader } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import type { Entry } from '../thread/entry'
import type { Thread } from '../thread/thread'
import { CallCard } from './call-card'
import type { Decide } from './call-decision'
import { MessageLine } from './message-line'
import { useStickToEnd } from './stick-to-end'
import { TimingLine } from './timing-line'
import styles from './transcript.module.css'

interface TranscriptProps {
  /** Null until the first message creates it. */
  readonly conversationId: string | null
  readonly thread: Thread
  readonly agentName: string
  readonly earlierCount: number
  readonly onEarlier: () => Promise<void>
  readonly onDecide: Decide
  readonly isLoading: boolean
  /** Shown while the conversation is empty. */
  readonly empty: ReactNode
}

export function Transcript(props: TranscriptProps) {
  const { conversationId, thread, agentName, earlierCount, onEarlier, onDecide, isLoading, empty } = props
  const { entries, timings } = thread
  const { scroll, content, isAtEnd, goToEnd } = useStickToEnd(
    entries[0]?.id,
    entries.findLast((entry) => entry.kind === 'message' && entry.role === 'user')?.id,
  )
  return (
    <div className={styles.frame}>
      <div className={styles.scroll} ref={scroll} role="log" aria-label="Conversation" tabIndex={0}>
        <div className={styles.content} ref={content}>
          {isLoading && (
            <Center flex={1}>
              <Loader aria-label="Loading conversation" />
            </Center>
          )}
          {!isLoading && entries.length === 0 && empty}
          {earlierCount > 0 && <EarlierButton count={earlierCount} onEarlier={onEarlier} />}
          {entries.map((entry) => {
            const timing = timings[entry.id]
            return (
              <Fragment key={entry.id}>
                <EntryView
                  entry={entry}
                  conversationId={conversationId}
                  agentName={agentName}
                  onDecide={onDecide}
                />
                {timing !== undefined && <TimingLine timing={timing} />}
              </Fragment>
            )
          })}
        </div>
      </div>
      {!isAtEnd && (
        <Button
          className={styles.toEnd}
          size="xs"
          radius="xl"
          variant="default"
          leftSection={<IconArrowDown size={14} />}
          onClick={goToEnd}
        >
          Jump to latest
        </Button>
      )}
    </div>
  )
}

interface EntryViewProps {
  readonly conversationId: string | null
  readonly entry: Entry
  readonly agentName: string
  readonly onDecide: Decide
}

function EntryView({ entry, conversationId, agentName, onDecide }: EntryViewProps) {
  switch (entry.kind) {
    case 'message':
      return <MessageLine message={entry} agentName={agentName} />
    case 'call':
      return <CallCard call={entry} conversationId={conversationId} onDecide={onDecide} />
    case 'note':
      return (
        <p className={styles.note} data-problem={entry.isProblem || undefined}>
          {entry.text}
        </p>
      )
  }
}

function EarlierButton({
  count,
  onEarlier,
}: {
  readonly count: number
  readonly onEarlier: () => Promise<void>
}) {
  const [isBusy, setBusy] = useState(false)
  const show = async () => {
    setBusy(true)
    await onEarlier().finally(() => setBusy(false))
  }
  return (
    <Button variant="subtle" size="xs" loading={isBusy} onClick={() => void show()}>
      Show earlier messages ({count})
    </Button>
  )
}
