import { Alert, Button, Group, Modal, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { Timestamp } from '../../parts/timestamp'
import { type AgentVersion, draftOf } from './agent-draft'
import { Differences } from './history/differences'
import { actorLabel, useRevisions } from './history/use-revisions'
import type { AgentEditing } from './use-agent-editor'

/** Shown if another user has saved the agent during editing. Neither version overwrites the other without a choice. */
export function ChangedMeanwhile({ editing }: { readonly editing: AgentEditing }) {
  const { newer, base, keepMine, takeTheirs } = editing
  const [isOpen, setOpen] = useState(false)
  if (newer === null || base === null) return null
  const choices = (
    <>
      <Button size="xs" variant="default" onClick={takeTheirs}>
        Use theirs
      </Button>
      <Button size="xs" variant="default" onClick={keepMine}>
        Keep mine
      </Button>
    </>
  )
  return (
    <Alert color="blue" icon={<IconUsers size={18} />} title={<Title newer={newer} />} role="alert">
      <Text size="sm">
        Keep mine applies your changes to their version without saving it. Use theirs discards your changes.
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          View changes
        </Button>
        {choices}
      </Group>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Their changes" size="xl">
        <Differences before={draftOf(base.agent)} after={draftOf(newer.agent)} />
        <Group gap="xs" mt="md" justify="end">
          {choices}
        </Group>
      </Modal>
    </Alert>
  )
}

/** The author of the change, once known. */
function Title({ newer: { agent } }: { readonly newer: AgentVersion }) {
  const latest = useRevisions(agent.id).data?.items[0]
  const who = latest?.at === agent.updatedAt ? ` by ${actorLabel(latest.actor)}` : ''
  return (
    <>
      This agent was changed{who}, <Timestamp at={agent.updatedAt} />
    </>
  )
}
