import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { Approval, Page } from '@parley/sdk'
import { useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { playApprovalSound } from '../data/approval-sound'

/** Announces a new pending approval with a sound, a notification and text for screen readers. */
export function useApprovalNews(waiting: Page<Approval> | undefined): string {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const { conversation } = useSearch({ strict: false })
  const [news, setNews] = useState('')
  const known = useRef<string | null>(null)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (waiting === undefined) return
    const { items, totalCount } = waiting
    // Ids increase with time, so a larger id is a newer approval.
    const newest = items[0]
    const isNew = known.current !== null && newest !== undefined && newest.id > known.current
    known.current = newest === undefined ? (known.current ?? '') : newest.id
    if (totalCount === 0) {
      setNews('')
      hide(shown.current)
    }
    if (!isNew) return
    const text = newsOf(newest.title, totalCount)
    setNews(text)
    playApprovalSound()
    hide(shown.current)
    // The approvals page and the call's own conversation already show the card.
    const isSeen = path === '/approvals' || (path === '/playground' && conversation === newest.conversationId)
    if (!isSeen) shown.current = notify(text)
  }, [waiting, path, conversation])
  useEffect(() => {
    if (path === '/approvals') hide(shown.current)
  }, [path])
  return news
}

function newsOf(title: string, count: number): string {
  return count === 1
    ? `${title} is waiting for approval.`
    : `${title} is waiting for approval. ${count} calls are pending.`
}

function hide(id: string | null): void {
  if (id !== null) notifications.hide(id)
}

function notify(text: string): string {
  const id = crypto.randomUUID()
  return notifications.show({
    id,
    color: 'orange',
    title: text,
    // Rendered outside the router, so it uses a plain address.
    message: (
      <Anchor href="#/approvals" size="sm" onClick={() => notifications.hide(id)}>
        Review
      </Anchor>
    ),
    autoClose: 15_000,
    // The console announces it to screen readers itself.
    role: 'presentation',
  })
}
