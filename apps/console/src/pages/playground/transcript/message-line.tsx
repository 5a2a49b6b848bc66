import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import type { MessageEntry } from '../thread/entry'
import styles from './transcript.module.css'

interface MessageLineProps {
  readonly message: MessageEntry
  readonly agentName: string
}

/** A message of one side. */
export const MessageLine = memo(function MessageLine({ message, agentName }: MessageLineProps) {
  const { role, text, isFinal, isInterrupted, failure, files } = message
  // Interrupted before any audio was heard.
  if (text === '' && isFinal && failure === null) return null
  const mark = [
    files.length > 0 && `Attached: ${files.join(', ')}`,
    isInterrupted && 'Interrupted',
    failure !== null && `Not transcribed: ${failure}`,
  ].filter((part) => part !== false)
  return (
    <div className={styles.words} data-role={role}>
      <VisuallyHidden>{role === 'user' ? 'You' : agentName}: </VisuallyHidden>
      {text}
      {!isFinal && <span className={styles.dots} aria-hidden="true" />}
      {mark.length > 0 && <span className={styles.mark}>{mark.join(' · ')}</span>}
    </div>
  )
})
