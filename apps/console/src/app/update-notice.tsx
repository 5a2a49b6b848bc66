import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const noticeId = 'update'

/** File names contain content hashes, so the entry file identifies the build. */
const entryOf = (page: Document): string | null =>
  page.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/**
 * Shown if the service serves a newer console than the open page. It never reloads automatically, because the user may
 * be writing or in a call.
 */
export async function noticeUpdate(): Promise<void> {
  const served = await readServedEntry().catch(() => null)
  if (served === null || served === entryOf(document)) return
  notifications.show({
    id: noticeId,
    color: 'blue',
    title: 'Parley was updated',
    message: (
      <Group justify="space-between" align="end" gap="xs">
        <Text size="sm" flex="1 1 12rem">
          This page is still running the previous version. Reload when you are ready.
        </Text>
        <Button size="xs" onClick={() => location.reload()}>
          Reload
        </Button>
      </Group>
    ),
    autoClose: false,
  })
}

/** Null if the response is not a console page. */
async function readServedEntry(): Promise<string | null> {
  const answer = await fetch('/', {
    headers: { accept: 'text/html' },
    cache: 'no-store',
    signal: AbortSignal.timeout(10_000),
  })
  return entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
}
