import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const noticeId = 'update'

/** The files of a build are named after what is in them, and this one names the others. */
const entryOf = (page: Document): string | null =>
  page.querySelector('script[type=module][src]')?.getAttribute('src') ?? null

/**
 * Says so where the service has another console by now than the page that is open. It stays open until the person wants otherwise:
 * they may be writing, or talking to somebody.
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
          This page is still the one from before. Load it again when it suits you.
        </Text>
        <Button size="xs" onClick={() => location.reload()}>
          Load again
        </Button>
      </Group>
    ),
    autoClose: false,
  })
}

/** Null where what answers has no console. */
async function readServedEntry(): Promise<string | null> {
  const answer = await fetch('/', {
    headers: { accept: 'text/html' },
    cache: 'no-store',
    signal: AbortSignal.timeout(10_000),
  })
  return entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
}
