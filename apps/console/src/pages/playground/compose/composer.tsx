import { ActionIcon, FileButton, Group, Text, Textarea, Tooltip } from '@mantine/core'
import { IconArrowUp, IconMicrophone, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { AttachmentList } from './attachment-list'
import styles from './composer.module.css'
import { type Attachments, maxFiles } from './use-attachments'

interface ComposerProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly attachments: Attachments
  readonly onSend: () => void
  readonly onStop: () => void
  readonly onTalk: () => void
  readonly isAsking: boolean
  /** Whether a voice session is active or connecting. */
  readonly hasVoice: boolean
  readonly mayTalk: boolean
  readonly mayAttach: boolean
  /** Why sending is disabled, or null. */
  readonly obstacle: string | null
}

/** The input for text, files and voice. */
export function Composer(props: ComposerProps) {
  const { text, onText, attachments, onSend, onTalk, hasVoice, mayTalk, mayAttach, obstacle } = props
  const send = (event: KeyboardEvent) => {
    // Enter also confirms a suggestion of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }
  const hint =
    hasVoice && attachments.items.length > 0
      ? 'Messages with files are sent as text. The voice session can use the files afterwards.'
      : obstacle
  return (
    <div className={styles.box}>
      <AttachmentList items={attachments.items} onRemove={attachments.remove} />
      <Textarea
        aria-label="Message"
        placeholder={hasVoice ? 'Talk or type a message' : 'Type a message'}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={send}
        onPaste={({ clipboardData }) => {
          if (mayAttach && clipboardData.files.length > 0) attachments.add([...clipboardData.files])
        }}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={100_000}
        classNames={{ input: styles.field }}
      />
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Group gap="xs" wrap="nowrap" miw={0}>
          {mayAttach && (
            <FileButton multiple onChange={attachments.add}>
              {(button) => (
                <Tooltip label="Attach files">
                  <ActionIcon
                    {...button}
                    variant="subtle"
                    color="gray"
                    size="lg"
                    disabled={attachments.items.length >= maxFiles}
                    aria-label="Attach files"
                  >
                    <IconPaperclip size={18} />
                  </ActionIcon>
                </Tooltip>
              )}
            </FileButton>
          )}
          <Text size="xs" c="dimmed" role="status">
            {hint}
          </Text>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {mayTalk && !hasVoice && (
            <Tooltip label="Talk">
              <ActionIcon variant="light" size="lg" radius="xl" onClick={onTalk} aria-label="Talk">
                <IconMicrophone size={18} />
              </ActionIcon>
            </Tooltip>
          )}
          <SendButton {...props} />
        </Group>
      </Group>
    </div>
  )
}

function SendButton({ text, isAsking, onStop, onSend, obstacle }: ComposerProps) {
  if (isAsking)
    return (
      <Tooltip label="Stop response">
        <ActionIcon size="lg" radius="xl" color="red" onClick={onStop} aria-label="Stop response">
          <IconPlayerStopFilled size={16} />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <Tooltip label="Send (Enter)">
      <ActionIcon
        size="lg"
        radius="xl"
        onClick={onSend}
        disabled={text.trim() === '' || obstacle !== null}
        aria-label="Send"
      >
        <IconArrowUp size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
