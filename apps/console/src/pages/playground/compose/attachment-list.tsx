import { CloseButton, Group, Paper, Progress, Text } from '@mantine/core'
import type { Attachment } from './use-attachments'

interface AttachmentListProps {
  readonly items: readonly Attachment[]
  readonly onRemove: (key: string) => void
}

export function AttachmentList({ items, onRemove }: AttachmentListProps) {
  if (items.length === 0) return null
  return (
    <Group component="ul" gap="xs" m={0} p={0} aria-label="Attached files">
      {items.map((item) => (
        <Paper
          component="li"
          key={item.key}
          withBorder
          px="xs"
          py={4}
          maw="18rem"
          style={{ listStyle: 'none' }}
        >
          <Group gap={6} wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text size="xs" fw={600} truncate title={item.name}>
                {item.name}
              </Text>
              <State item={item} />
            </div>
            <CloseButton size="sm" aria-label={`Remove ${item.name}`} onClick={() => onRemove(item.key)} />
          </Group>
        </Paper>
      ))}
    </Group>
  )
}

function State({ item: { name, progress, fileId, problem, sizeBytes } }: { readonly item: Attachment }) {
  if (problem !== null)
    return (
      <Text size="xs" c="red" role="alert">
        {problem}
      </Text>
    )
  if (fileId === null)
    return (
      <Progress.Root size="sm" w="8rem" my={6}>
        <Progress.Section value={progress * 100} aria-label={`Upload of ${name}`} />
      </Progress.Root>
    )
  return (
    <Text size="xs" c="dimmed">
      {formatSize(sizeBytes)}
    </Text>
  )
}

function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(0)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`
}
