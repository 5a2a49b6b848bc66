import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { EndUser } from '@parley/sdk'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useConsole } from '../../data/console-context'
import { useChange } from '../../data/use-change'
import { CopyField } from '../../parts/copy-field'

/** Starts the erasure after the user has typed the external ID. */
export function EraseEndUser({ endUser: { id, externalId } }: { readonly endUser: EndUser }) {
  const { parley } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const close = () => {
    setOpen(false)
    setTyped('')
  }
  const erase = useChange({
    change: async () => parley.endUsers.delete(id),
    changes: ['EndUser', 'Conversation', 'RealtimeSession', 'Task'],
    onDone: close,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === externalId) erase.mutate(undefined)
  }
  return (
    <>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} />}
        onClick={() => setOpen(true)}
      >
        Erase
      </Button>
      <Modal opened={isOpen} onClose={close} title="Erase end user?">
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              Running sessions end. All conversations, recordings, files and tasks of this end user are
              permanently deleted. This cannot be undone.
            </Text>
            <CopyField value={externalId} label="external ID" />
            <TextInput
              label="Type the external ID to confirm"
              autoComplete="off"
              data-autofocus
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Group justify="end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color="red" disabled={typed !== externalId} loading={erase.isPending}>
                Erase end user
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
