import { Box, Button, Skeleton } from '@mantine/core'
import type { Message } from '@parley/sdk'
import { IconArrowDown, IconMessages } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { useConsole } from '../../data/console-context'
import { type Rows, useRows } from '../../data/use-rows'
import { EmptyState } from '../../parts/empty-state'
import { ErrorNotice } from '../../parts/error-notice'
import { MessageView } from './message-view'
import styles from './transcript.module.css'

/** Distance from the end, in pixels, that still counts as the end. */
const nearPixels = 40

interface TranscriptProps {
  readonly conversationId: string
  readonly agentId: string | null
}

/** The messages in order. Only the visible part of a long conversation is rendered. */
export function Transcript({ conversationId, agentId }: TranscriptProps) {
  const { parley } = useConsole()
  const rows = useRows<Message>({
    resource: 'Message',
    of: conversationId,
    read: (range) => parley.conversations.listMessages(conversationId, range),
  })
  if (rows.error !== null && rows.totalCount === undefined)
    return <ErrorNotice error={rows.error} onRetry={rows.retry} />
  if (rows.totalCount === 0)
    return (
      <EmptyState icon={IconMessages} title="No messages yet">
        Messages appear here automatically.
      </EmptyState>
    )
  if (rows.totalCount === undefined) return <Skeleton h="100%" mah="24rem" />
  return <Messages rows={rows} count={rows.totalCount} agentId={agentId} />
}

interface MessagesProps {
  readonly rows: Rows<Message>
  readonly count: number
  readonly agentId: string | null
}

/** Starts at the first message. At the last message, it follows new ones. */
function Messages({ rows, count, agentId }: MessagesProps) {
  const scroll = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => 104,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => rows.show(first, last))
  useStayAtEnd(scroll, count, () => virtual.scrollToIndex(count - 1, { align: 'end' }))

  return (
    <div className={styles.frame}>
      {/* Scrollable areas must be focusable by keyboard. */}
      <Box component="section" className={styles.scroll} ref={scroll} aria-label="Transcript" tabIndex={0}>
        <ol className={styles.messages} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const message = rows.at(index)
            return (
              <li
                key={index}
                ref={virtual.measureElement}
                data-index={index}
                className={styles.place}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={count}
                aria-posinset={index + 1}
              >
                {message === undefined ? (
                  <Skeleton h={80} />
                ) : (
                  <MessageView message={message} agentId={agentId} />
                )}
              </li>
            )
          })}
        </ol>
      </Box>
      {last < count - 1 && (
        <Button
          className={styles.end}
          size="xs"
          variant="default"
          leftSection={<IconArrowDown size={14} />}
          onClick={() => virtual.scrollToIndex(count - 1, { align: 'end' })}
        >
          Jump to latest
        </Button>
      )}
    </div>
  )
}

/** If the end is visible, it stays visible when messages arrive. */
function useStayAtEnd(scroll: RefObject<HTMLElement | null>, count: number, scrollToEnd: () => void): void {
  const known = useRef(count)
  const isAtEnd = useRef(false)
  useEffect(() => {
    if (count > known.current && isAtEnd.current) scrollToEnd()
    known.current = count
    // Runs after the effect above, which reads the previous position.
    const element = scroll.current
    if (element !== null)
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPixels
  })
}
